import * as pulumi from "@pulumi/pulumi";

/** What a program has declared and called under mocks. */
export interface Mocked {
  readonly declared: pulumi.runtime.MockResourceArgs[];
  readonly called: pulumi.runtime.MockCallArgs[];
}

/**
 * Sets Pulumi's mocks.
 * @param answers What the service has filled in of each resource, and what each function returns.
 */
export async function mocks(
  answers: { readonly resource?: object; readonly call?: Record<string, unknown> } = {},
): Promise<Mocked> {
  const mocked: Mocked = { declared: [], called: [] };
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      mocked.declared.push(args);
      return { id: `${args.name}-id`, state: { ...args.inputs, ...answers.resource } };
    },
    call: (args) => {
      mocked.called.push(args);
      return answers.call ?? {};
    },
  });
  return mocked;
}

/** The value of an output. */
export const valueOf = <T>(output: pulumi.Output<T>): Promise<unknown> =>
  new Promise((resolve) => output.apply(resolve));
