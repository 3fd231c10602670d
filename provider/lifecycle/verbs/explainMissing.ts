import { isMissingOperation } from "../../client/failures";
import { ApiError, ObservabilityError } from "../../client/errors";
import type { Kind, Operation } from "../../schema/kind";
import type { Target } from "../objects/target";

/** Whether the service lacks this operation. The error may be that of a look-up, which says nothing about the write. */
export const isMissingWrite = (error: unknown, operation: Operation): error is ApiError =>
  error instanceof ApiError && error.operation === operation && isMissingOperation(error);

/** The error of a write that the service lacks. */
export const missingWrite = (
  { manyTitle }: Kind,
  verb: "create" | "update" | "delete",
  cause: ApiError,
  hint: string,
) =>
  new ObservabilityError("not_implemented", [`this service can't ${verb} ${manyTitle} (`, ...cause.parts, ")"], {
    cause,
    hint,
  });

/** Explains an error that means that the service lacks the create or the update. Returns any other error unchanged. */
export async function explainMissing(target: Target, error: unknown): Promise<unknown> {
  const { session, kind, title } = target;
  const { create, update } = kind.operations;
  const isCreate = isMissingWrite(error, create);
  if (!isCreate && !isMissingWrite(error, update)) return error;
  try {
    await session.client.service.verify({ kind });
  } catch (error) {
    return error; // The operation is not missing: the URL is not the service's.
  }
  return isCreate
    ? missingWrite(kind, "create", error, `Use an existing one, with ${kind.name}.get`)
    : missingWrite(kind, "update", error, `Declare the values that ${title} has in the service`);
}
