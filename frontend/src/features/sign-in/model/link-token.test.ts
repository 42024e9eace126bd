import { expect, test, vi } from 'vitest';
import { linkToken, takeLinkToken } from './link-token';

test.each([
  ['#token=abc_-1', 'abc_-1'],
  ['#token=a+b%2F%3D', 'a+b/='],
  ['#from=mail&token=abc&x=1', 'abc'],
  ['#token=%E0%A4%A', '%E0%A4%A'],
  ['#token=', null],
  ['#mytoken=abc', null],
  ['', null],
])('%j holds %j', (hash, token) => {
  expect(linkToken(hash)).toBe(token);
});

test('taking the token cleans the address and leaves the rest of it', () => {
  const location = { pathname: '/sign-in', search: '?next=/x', hash: '#token=abc' };
  const replaceState = vi.fn((_state: unknown, _title: string, _url: string) => void (location.hash = ''));
  const take = () => takeLinkToken(location as Location, { state: null, replaceState } as unknown as History);
  expect(take()).toBe('abc');
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/sign-in?next=/x');
  expect(take()).toBeNull();
});
