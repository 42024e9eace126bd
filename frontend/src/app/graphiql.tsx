import { ExplorerPage } from '../features/explorer/explorer-page';
import { mount } from './mount';

mount(<ExplorerPage />);
