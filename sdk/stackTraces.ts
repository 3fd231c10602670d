/**
 * Puts a hook before the program's stack formatter, for two reasons. First, the SDK formats a stack for every promise
 * of every property, for a debugging aid that is off by default. Through a program's source maps that costs more than
 * the rest of a resource, so the hook skips it. Second, the SDK takes the fifth frame for the program's, which is right
 * only if a class extends `CustomResource` directly. So the hook removes our base class's frame.
 * @param baseClass The name of that class.
 * @returns a function that removes the hook if the program has no formatter.
 */
export function hookStacks(baseClass: string): () => void {
  const { prepareStackTrace: formatter } = Error;
  if ((formatter !== undefined && hooked in formatter) || process.env.PULUMI_DEBUG_PROMISE_LEAKS)
    return () => undefined;
  const format = formatter ?? asV8Does;
  const hook: typeof format = (error, frames) =>
    frames[0]?.getFunctionName() === "debuggablePromise"
      ? String(error)
      : (format(
          error,
          frames.filter((frame) => !isConstructorOf(frame, baseClass)),
        ) as unknown);
  Error.prepareStackTrace = Object.assign(hook, { [hooked]: true });
  return () => {
    if (formatter === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
  };
}

/** Marks the hook, so that another copy of this package recognizes it. */
const hooked = Symbol.for("pulumi-observability.hookStacks");

const isConstructorOf = (frame: NodeJS.CallSite, name: string) =>
  frame.isConstructor() && frame.getFunctionName() === name;

const asV8Does = (error: Error, frames: readonly NodeJS.CallSite[]) =>
  [String(error), ...frames.map((frame) => `    at ${String(frame)}`)].join("\n");
