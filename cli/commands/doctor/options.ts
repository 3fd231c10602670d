import { CliCommand, serviceOption, statuses } from "../options";
import type { DoctorFlags } from "./command";

export const doctorOptions = () =>
  new CliCommand("doctor")
    .description("Check what your service supports, with reads and dry runs only, and what each gap means for you.")
    .addOption(serviceOption())
    .addExamples(
      [
        "pulumi-observability doctor",
        "pulumi-observability doctor --stack production",
        "pulumi-observability doctor --json",
      ],
      statuses("don't use the provider with this service, URL or token", "the service or the token lacks features"),
    )
    .runs<DoctorFlags>(async (flags, output) => (await import("./command.js")).doctor(flags, output));
