import { Schema } from "effect"
import { component, field, wire } from "../../kernel/input/wire.js"
import { Channel } from "../../model/Channel.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import { SettingsSchema, settingsSchema } from "./settingsSchema.js"

/** A channel provider that the host has, on the wire of the administration. */
export const ProviderResource = component("Provider", "A channel provider of the responding host.", {
  kind: field(Schema.String, { examples: ["telegram"] }),
  channels: field(Schema.Array(Channel), { examples: [["telegram"]] }),
  /** JSON Schema (draft 7). */
  config: field(SettingsSchema, {
    description: "What `config` of a connection must be, as JSON Schema.",
    examples: [{ type: "object", properties: {}, required: [] }]
  }),
  credentials: field(SettingsSchema, {
    description: "What `credentials` of a connection must be, as JSON Schema.",
    examples: [{ type: "object", properties: { bot_token: { type: "string" } }, required: ["bot_token"] }]
  }),
  /** Whether it can be done with its connections; sending always can. */
  takesWebhooks: wire("takes_webhooks", Schema.Boolean, {
    description: "Whether the vendor, or customers themselves, call `webhook_url`.",
    examples: [true]
  }),
  polls: field(Schema.Boolean, { description: "Whether Parley polls the vendor for events." }),
  canCheck: wire("can_check", Schema.Boolean, { description: "Whether connections can be tested.", examples: [true] }),
  canSetUp: wire("can_set_up", Schema.Boolean, {
    description: "Whether Parley can register its webhook URL with the vendor.",
    examples: [true]
  }),
  syncsTemplates: wire("syncs_templates", Schema.Boolean, {
    description: "Whether templates are synced from the vendor."
  }),
  importsHistory: wire("imports_history", Schema.Boolean, {
    description: "Whether the vendor offers what was written on an account before it was connected."
  })
})

export const providerResource = (provider: ChannelProvider): typeof ProviderResource.Type => ({
  kind: provider.kind,
  channels: provider.channels.map(({ name }) => name),
  config: settingsSchema(provider.config),
  credentials: settingsSchema(provider.credentials),
  takesWebhooks: takesWebhooks(provider),
  polls: provider.poll !== undefined,
  canCheck: provider.check !== undefined,
  canSetUp: provider.setUp !== undefined,
  syncsTemplates: provider.listTemplates !== undefined,
  importsHistory: provider.history !== undefined
})

/** Whether its vendor, or its customers themselves, call `/inbound/{connection}`. */
export const takesWebhooks = ({ serve, webhook }: ChannelProvider): boolean =>
  webhook !== undefined || serve !== undefined
