import { expect, it } from 'vitest';
import { differencesOf } from './request-beside.tsx';

const recorded = { url: 'http://a/agent', method: 'POST', body: '{"runId":"r1","messages":[{"id":"m1","content":"Hi"}],"old":1}' };

it('names what the page asks differently, and nothing else', () => {
  const now = { ...recorded, url: 'http://b/agent', body: '{"runId":"r1","messages":[{"id":"m1","content":"Hello"}],"tools":[]}' };
  expect(differencesOf(recorded, now)).toEqual([
    { path: 'url', was: 'http://a/agent', is: 'http://b/agent' },
    { path: 'body.messages.0.content', was: '"Hi"', is: '"Hello"' },
    { path: 'body.old', was: '1', is: '(not there)' },
    { path: 'body.tools', was: '(not there)', is: '[]' },
  ]);
  expect(differencesOf(recorded, recorded)).toEqual([]);
});

it('takes a body that is no JSON, or none, as it is', () => {
  expect(differencesOf({ ...recorded, body: 'text' }, { ...recorded, body: undefined })).toEqual([{ path: 'body', was: '"text"', is: '(not there)' }]);
});
