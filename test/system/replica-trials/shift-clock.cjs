// For `node --require`: the wall clock of this process is wrong by CLOCK_SHIFT_MS milliseconds. Timers and
// `performance` go on as they are: they are not set by anybody.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
if (!Number.isFinite(shiftMs)) throw new Error('CLOCK_SHIFT_MS must be a number of milliseconds');

const TrueDate = Date;
const now = () => TrueDate.now() + shiftMs;

const ShiftedDate = new Proxy(TrueDate, {
  construct(target, args, newTarget) {
    const own = newTarget === ShiftedDate ? target : newTarget;
    return Reflect.construct(target, args.length === 0 ? [now()] : args, own);
  },
  apply: () => new TrueDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
TrueDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;
