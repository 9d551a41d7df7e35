import { Schema } from "effect"
import { Channel } from "../../channels/Channel.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import { SettingsSchema, settingsSchema } from "./settingsSchema.js"

/** A channel provider that the host has, on the wire of the administration. */
export const ProviderResource = Schema.Struct({
  kind: Schema.String,
  channels: Schema.Array(Channel),
  /** JSON Schema (draft 7). */
  config: SettingsSchema,
  credentials: SettingsSchema,
  /** Whether it can be done with its connections; sending always can. */
  takesWebhooks: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("takes_webhooks")),
  polls: Schema.Boolean,
  canCheck: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("can_check")),
  canSetUp: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("can_set_up")),
  syncsTemplates: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("syncs_templates"))
}).annotations({ identifier: "Provider" })

export const providerResource = (provider: ChannelProvider): typeof ProviderResource.Type => ({
  kind: provider.kind,
  channels: provider.channels,
  config: settingsSchema(provider.config),
  credentials: settingsSchema(provider.credentials),
  takesWebhooks: takesWebhooks(provider),
  polls: provider.poll !== undefined,
  canCheck: provider.check !== undefined,
  canSetUp: provider.setUp !== undefined,
  syncsTemplates: provider.listTemplates !== undefined
})

/** Whether its vendor, or its customers themselves, call `/inbound/{connection}`. */
export const takesWebhooks = ({ serve, webhook }: ChannelProvider): boolean =>
  webhook !== undefined || serve !== undefined
