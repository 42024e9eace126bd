import { SignInPage } from '../features/sign-in/sign-in-page';
import { safeNext } from '../lib/safe-next';
import { mount } from './mount';

mount(<SignInPage next={safeNext(location.search, location.origin)} />);
