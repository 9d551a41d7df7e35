import type { Parley, Subscription } from "@parley/embed"

/** Prints what customers write to an application. Call it at each start of the service. */
export const printReceived = (
  parley: Parley,
  applicationId: string,
  print: (line: string) => void
): Promise<Subscription> =>
  parley.on("print-received", "message.received", ({ data }) => print(`received: ${data.message.body}`), {
    application: applicationId
  })
