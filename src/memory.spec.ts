import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
/** Of `%GetOptimizationStatus`, in V8's `OptimizationStatus`. */
const BY_TURBOFAN = 1 << 6;

/** Prints whether V8 has optimised a function that was called far more often than it takes; then what `then` says. */
const program = (then: string): string => `
  const { optimiseFromNowOn } = require('./src/memory');
  const work = (turns) => { let sum = 0; for (let turn = 0; turn < turns; turn += 1) sum = (sum * 31 + turn) | 0; return sum; };
  const optimised = () => (%GetOptimizationStatus(work) & ${BY_TURBOFAN}) !== 0;
  for (let call = 0; call < 300; call += 1) work(20_000);
  console.log(optimised());
  ${then}`;

function run(then: string): string[] {
  const load = `require.extensions['.ts'] = (module, file) => module._compile(
    require('@swc/core').transformFileSync(file, { module: { type: 'commonjs' } }).code, file);`;
  const output = execFileSync(process.execPath, ['--allow-natives-syntax', '-e', load + program(then)], {
    cwd: ROOT,
    timeout: 60_000,
    encoding: 'utf8',
  });
  return output.trim().split('\n');
}

describe('what V8 does with what runs often', () => {
  it('leaves it as it is until Ponte is ready', () => {
    expect(run('')).toEqual(['false']);
  });

  it('optimises it afterwards', () => {
    const goOn = `optimiseFromNowOn();
      const goOn = () => { work(20_000); optimised() ? console.log(true) : setImmediate(goOn); };
      goOn();`;
    expect(run(goOn)).toEqual(['false', 'true']);
  });
});
