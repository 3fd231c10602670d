import { isMissingOperation } from "../../client/answers";
import { ApiError, ObservabilityError } from "../../client/errors";
import { verifyService } from "../objects/lookUp";
import type { Target } from "../objects/target";

/** Explains an error that means that the service lacks the write. Returns any other error unchanged. */
export async function explainMissing(target: Target, error: unknown): Promise<unknown> {
  if (!(error instanceof ApiError) || !isMissingOperation(error)) return error;
  try {
    await verifyService(target);
  } catch (error) {
    return error; // The operation is not missing: the URL is not the service's.
  }
  const { kind, title } = target;
  const [verb, hint] =
    error.operation === kind.operations.create
      ? ["create", `Use an existing one, with ${kind.name}.get`]
      : ["update", `Declare the values that ${title} has in the service`];
  const parts = [`this service can't ${verb} ${kind.manyTitle} (`, ...error.parts, ")"];
  return new ObservabilityError("not_implemented", parts, { cause: error, hint });
}
