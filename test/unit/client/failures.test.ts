import { expect, test } from "vitest";
import { apiError } from "../../../dist/provider/client/failures.js";
import { monitor } from "../../../dist/provider/kinds/monitor.js";

const exchange = {
  operation: monitor.operations.update,
  what: "PUT /x",
  baseUrl: "https://x.example.com",
  requestId: "1",
};

test.each([
  [{ message: "quota exceeded" }],
  [{ error: "quota exceeded" }],
  [{ error: { message: "quota exceeded" } }],
  [{ title: "Bad Request", detail: "quota exceeded" }],
  [{ title: "quota exceeded" }],
  [{ msg: "quota exceeded" }],
  [{ title: "Bad Request", errors: [{ message: "quota exceeded" }] }],
  [{ errors: ["quota exceeded"] }],
  [{ fault: { faultstring: "quota exceeded" } }],
])("the reason of a service is shown from %j", (body) => {
  const { message } = apiError(exchange, { status: 400, headers: {}, text: JSON.stringify(body) }, body);
  expect(message).toBe("PUT /x answered 400: quota exceeded (request 1)");
});

test("a problem with a path is not shown twice", () => {
  const body = { errors: [{ path: "name", message: "too long" }], fault: {} };
  const { message, problems } = apiError(exchange, { status: 400, headers: {}, text: "" }, body);
  expect(message).toBe("PUT /x answered 400 (request 1)");
  expect(problems).toEqual(body.errors);
});
