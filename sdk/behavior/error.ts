/** A monitor or its series cannot be simulated; the message lists every reason, each by its field. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";

  /** @param subject What is simulated: `monitor "checkout-errors"`. */
  constructor(
    subject: string,
    readonly problems: readonly string[],
    verb = "simulate",
  ) {
    super([`unable to ${verb} ${subject}:`, ...problems].join(problems.length === 1 ? " " : "\n  "));
  }
}
