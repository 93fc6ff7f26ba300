// Loaded before a replica (`node --require`): its clock is CLOCK_SHIFT_MS ahead of the machine's.
const RealDate = Date;
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shiftMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
