import type { Resource } from "./AdminClient.js"
import type { Provider } from "./providers.js"

/** The next commands for a new connection. */
export const nextSteps = (connection: Resource, provider: Provider): string => {
  const { id, webhook_url: url } = connection
  const callsUs = typeof url === "string"
  const steps: ReadonlyArray<readonly [command: string, does: string]> = [
    ...(provider.canCheck ? [[`parley connection check ${id}`, "Test it; no message is sent"] as const] : []),
    ...(provider.canSetUp
      ? [[`parley connection setup ${id}`, `Set up the webhook ${url} at the vendor`] as const]
      : []),
    ...(provider.syncsTemplates
      ? [[`parley connection sync-templates ${id}`, "Import its templates now; otherwise every 6 hours"] as const]
      : []),
    [
      "parley app update <app id> --connections …",
      `Allow an application to use it: ${id} in addition to its present connections`
    ]
  ]
  return [
    "",
    "Next:",
    ...(callsUs && !provider.canSetUp
      ? [
          `${provider.polls ? "If the vendor also calls webhooks" : "Where the vendor asks for its webhook"}, enter ${url}`
        ]
      : []),
    ...steps.map(([command, does]) => `  ${command}\n      ${does}`),
    ...(callsUs && !url.startsWith("https://")
      ? ["", "Vendors call only https addresses on the public internet: see PARLEY_PUBLIC_URL."]
      : [])
  ].join("\n")
}
