import type { Run } from "../../../provider/lifecycle/run";
import type { Output } from "../../report/output";
import { configOf } from "../../stacks/pulumi";
import { serviceOf } from "../../stacks/service";

/** The service of a stack of the program in the current folder; without a stack, that of the environment. */
export const connect = async (output: Output, stack: string | undefined): Promise<Run> =>
  serviceOf(stack === undefined ? () => undefined : await configOf({ folder: ".", stack }), output);
