// What Fastify alone can take: `node bench/limits/bare-fastify.cjs`. Answers each order with 200: after one
// insert with `pg` when DATABASE_URL names a database and INSERT is the statement, else at once. Nothing is verified,
// parsed or answered twice. Its parameters: identifier, dedupe key, lane, body. With REFUSE it answers everything
// with 503 before it reads a body.
const fastify = require('fastify');
const { Pool } = require('pg');

const { DATABASE_URL: connectionString, INSERT: text, POOL_SIZE, REFUSE } = process.env;
const pool = text && new Pool({ connectionString, max: Number(POOL_SIZE) });

const app = fastify({ logger: false });
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
// Identifiers that ascend, as Ponte's do.
let number = 0;
const start = Date.now().toString(16).padStart(12, '0');

if (REFUSE) {
  app.addHook('onRequest', (_request, reply, _done) => {
    reply.code(503).header('retry-after', '2').send();
  });
}

app.post('/orders', async ({ headers, body }) => {
  number += 1;
  const id = `${start.slice(0, 8)}-${start.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
  if (pool) {
    const event = headers['x-shopify-event-id'];
    await pool.query({ name: 'store', text, values: [id, event, `order/${event}`, body] });
  }
  return { id };
});

app.listen({ host: '127.0.0.1', port: 0 }).then((listening) => {
  process.stdout.write(`${JSON.stringify({ listening })}\n`);
});
