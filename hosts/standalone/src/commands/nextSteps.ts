import type { Resource } from "./AdminClient.js"
import type { Provider } from "./providers.js"

/** What to do with a connection that was just made, for whoever made it. */
export const nextSteps = (connection: Resource, provider: Provider): string => {
  const { id, webhook_url: url } = connection
  const callsUs = typeof url === "string"
  const steps: ReadonlyArray<readonly [command: string, does: string]> = [
    ...(provider.canCheck ? [[`parley connection check ${id}`, "Try it; nothing is sent"] as const] : []),
    ...(provider.canSetUp ? [[`parley connection setup ${id}`, `Have the vendor call ${url}`] as const] : []),
    ...(provider.syncsTemplates
      ? [[`parley connection sync-templates ${id}`, "Take its templates over now; otherwise every 6 hours"] as const]
      : []),
    ["parley app update <app id> --connections …", `Let an application use it: ${id} beside those that it has`]
  ]
  return [
    "",
    "Next:",
    ...(callsUs && !provider.canSetUp
      ? [`  ${provider.polls ? "If it is to call, too" : "Where the vendor asks for its webhook"}, enter ${url}`]
      : []),
    ...steps.map(([command, does]) => `  ${command}\n      ${does}`),
    ...(callsUs && !url.startsWith("https://")
      ? ["", "Vendors call only https addresses of the public internet: see PARLEY_PUBLIC_URL."]
      : [])
  ].join("\n")
}
