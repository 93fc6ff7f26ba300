import { PinoLoggerService, createLogger } from './logging';
import { safeError } from './safe-error';

function captured(log: (service: PinoLoggerService) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const logger = createLogger(
    { logFormat: 'json', logLevel: 'trace' },
    { write: (line: string) => void lines.push(line) },
  );
  log(new PinoLoggerService(logger));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it('writes a line with time, level, the context Nest names last, and the fields of an object', () => {
    const [line] = captured((log) => log.log({ msg: 'request', status: 200 }, 'http'));
    expect(line).toMatchObject({ level: 'info', msg: 'request', status: 200, context: 'http' });
    expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('keeps what the framework says of its own start for whoever searches for a fault', () => {
    const lines = captured((log) => {
      log.log('Mapped {/health/live, GET} route', 'RouterExplorer');
      log.error('cannot be mapped', 'RouterExplorer');
      log.log('listening', 'ponte');
    });
    expect(lines.map(({ level }) => level)).toEqual(['debug', 'error', 'info']);
  });

  it('removes headers, bodies, queries, tokens and signatures by name, however deep', () => {
    const [line] = captured((log) =>
      log.warn({
        msg: 'odd',
        Authorization: 'Bearer abc',
        inner: { 'X-Shopify-Hmac-Sha256': 'abc', apiToken: 'abc', list: [{ body: 'abc' }] },
        headers: { a: 'abc' },
        query: 'abc',
      }),
    );
    expect(JSON.stringify(line)).not.toContain('abc');
  });

  it.each([
    'GET /v1/accounts?apitoken=s3cret-value&x=1 failed',
    'Authorization: Bearer s3cret-value',
    'cannot reach postgresql://user:s3cret-value@db/ponte',
    'key ponte_s3cret-value is odd',
  ])('removes credentials from text: %s', (text) => {
    const lines = captured((log) => {
      log.error(text);
      log.log({ msg: 'object', note: text });
      log.error(new Error(text));
    });
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toContain('s3cret-value');
  });

  it('keeps what helps to find a failure: its kind, message, code, frames and causes', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const [line] = captured((log) => log.error(new TypeError('no such thing', { cause })));
    expect(line?.['err']).toMatchObject({
      type: 'TypeError',
      message: 'no such thing',
      stack: expect.stringContaining('logging.spec'),
      cause: { message: 'refused', code: 'ECONNREFUSED' },
    });
  });

  it('keeps out what libraries quote in messages or hang on errors', () => {
    const database = Object.assign(new Error('Key (document)=(11144477735) already exists'), {
      severity: 'ERROR',
      code: '23505',
      detail: 'Key (document)=(11144477735)',
    });
    expect(safeError(database)).toMatchObject({ type: 'Error', code: '23505' });
    let syntax: unknown;
    try {
      JSON.parse('11144477735x');
    } catch (error) {
      syntax = error;
    }
    const request = Object.assign(new Error('timeout'), { config: { data: '11144477735' } });
    expect(JSON.stringify([database, syntax, request].map((error) => safeError(error)))).not.toContain(
      '1114447',
    );
  });

  it('keeps out what libraries hang on errors, under whatever name an error is logged', () => {
    const failure = Object.assign(new Error('time-out'), { config: { data: '11144477735' } });
    const lines = captured((log) => {
      log.error({ msg: 'odd', error: failure });
      log.error({ msg: 'odd', inner: { list: [failure] } });
      log.error({ msg: 'odd', err: failure });
    });
    expect(lines.map((line) => JSON.stringify(line).includes('time-out'))).toEqual([true, true, true]);
    expect(JSON.stringify(lines)).not.toContain('11144477735');
  });

  it('is readable where asked to be', () => {
    const lines: string[] = [];
    const logger = createLogger(
      { logFormat: 'pretty', logLevel: 'info' },
      { write: (line: string) => void lines.push(line) },
    );
    new PinoLoggerService(logger).log('listening', 'main');
    expect(lines.join('')).toMatch(/INFO.*listening/);
  });
});
