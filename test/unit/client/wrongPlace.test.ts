import { expect, test } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { caseOf } from "../../support/cases.js";
import { listen } from "../../support/http.js";
import { settingsFor } from "../../support/settings.js";

const list = (baseUrl: string, requestTimeoutSecs = 60) =>
  new Client(settingsFor(baseUrl, { requestTimeoutSecs, retryBudgetSecs: 2 })).reader.list(caseOf("Notifier").kind, {
    slugs: ["pager"],
  });

// How Go says it, and schemes in bytes: "No answer" in test/messages/messages.snap.md.
test.each([
  ["nginx", "<title>400 The plain HTTP request was sent to HTTPS port</title>"],
  ["Apache", "<p>Reason: You're speaking plain HTTP to an SSL-enabled server port.<br /></p>"],
])("http to a port for https that answers as %s does fails with the right scheme", async (_, text) => {
  const url = await listen((_, response) => response.writeHead(400).end(text));
  await expect(list(url)).rejects.toThrow(`to "${url}" failed: that port is for HTTPS. Gave up`);
});

test.each([
  ["https://user:password@sso.example.com/login?next=secret#part", ' to "https://sso.example.com/login"'],
  ["/login?next=secret", ' to "<origin>/login"'],
  ["http://[", ""],
])("a redirect to %s is not followed, and its target is shown without secrets", async (location, told) => {
  let requests = 0;
  const url = await listen((_, response) => {
    requests += 1;
    response.writeHead(302, { location }).end();
  });
  const words = `answered 302: a redirect${told.replace("<origin>", url)}. Redirects are not followed`;
  await expect(list(url)).rejects.toThrow(words);
  expect(requests).toBe(1);
});

test("an answer that trickles in ends with the request's own time", async () => {
  const url = await listen((_, response) => {
    const trickle = setInterval(() => response.write(" "), 200);
    response.once("close", () => clearInterval(trickle));
  });
  await expect(list(url, 1)).rejects.toThrow(
    `GET /api/v1/config/notifiers to "${url}" failed: the answer was not complete within 1 s`,
  );
});
