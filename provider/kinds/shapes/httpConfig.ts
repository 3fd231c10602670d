import { boolean, object, shape, string } from "../../schema/field";

/** How a receiver's HTTP requests are made: credentials, proxy and TLS. */
export const httpConfig = shape("HttpConfig", "How the receiver is called over HTTP: credentials, proxy and TLS.", {
  basicAuth: object(
    shape("HttpBasicAuth", "Credentials for HTTP basic authentication. Not together with a bearer token.", {
      username: string("The user name."),
      password: string("The password.", { secret: "value" }),
    }),
    undefined,
    { effect: "credential", format: "settings" },
  ),
  bearerToken: string("The token sent as `Authorization: Bearer …`. Not together with basic authentication.", {
    secret: "value",
    effect: "credential",
  }),
  proxyUrl: string("The proxy through which the receiver is called.", { unit: "URL", secret: "url" }),
  tlsConfig: object(
    shape("HttpTlsConfig", "TLS settings for the receiver's connections.", {
      insecureSkipVerify: boolean("Accepts any certificate the receiver presents. For testing only.", {
        default: "false",
      }),
    }),
    undefined,
    { format: "settings" },
  ),
});
