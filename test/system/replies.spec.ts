import { comparable } from './replies';

describe('replies that are compared with those of a page', () => {
  const replyOf = (cursor: string) =>
    comparable([{ at: 'page:1', language: 'json', text: `{"cursor":"${cursor}","items":[]}` }]);

  it.each(['AQAAAAAAAABEAAAAAQpBWwnlEi5a', 'AQAAAAAAAABEAAAAAQpBWwnlEi5-', 'AQAAAAAAAABEAAAAAQpBWwnlEi5_'])(
    'are the same whatever the cursor of the feed ends with: %s',
    (cursor) => {
      expect(replyOf(cursor)).toEqual([{ at: 'page:1', reply: { cursor: 'name 1', items: [] } }]);
    },
  );

  it('differ where a text is longer than a cursor', () => {
    expect(replyOf('AQAAAAAAAABEAAAAAQpBWwnlEi5-a')).not.toEqual(replyOf('AQAAAAAAAABEAAAAAQpBWwnlEi5-'));
  });
});
