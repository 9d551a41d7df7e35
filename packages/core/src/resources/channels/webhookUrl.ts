/** URL that the vendor of a connection calls, below the base URL of this service. */
export const webhookUrl = (base: string, connectionId: string): string =>
  `${base.replace(/\/+$/, "")}/inbound/${connectionId}`
