import { CheckResource, ConnectionResource, ProviderResource, SyncedResource } from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

/** The resources of channels: providers, and connections made of them. */
export const channelEntries: Entries = {
  Connection: entry(ConnectionResource, {
    description: "An account on a channel; its credentials are never shown.",
    example: {
      id: story.connectionId,
      workspace_id: story.workspaceId,
      channel: "whatsapp",
      provider: "sandbox",
      name: "Shop",
      handle: "+4930123456",
      status: "active",
      is_test: true,
      config: {},
      webhook_url: null,
      held_until: null,
      created_at: story.began
    },
    fields: {
      webhook_url: "Where its vendor calls Parley; null where no vendor does.",
      held_until:
        "Until when its vendor wants nothing sent; what waits keeps its order. Null where nothing is held back."
    }
  }),
  ConnectionCheck: entry(CheckResource, {
    description: "What a vendor says of a connection.",
    example: { status: "working", detail: "The sandbox reaches nobody, and always works." },
    fields: { detail: "What is well, or what to do." }
  }),
  SyncedTemplates: entry(SyncedResource, {
    description: "What came of taking templates over.",
    example: { created: 3, updated: 1 },
    fields: { created: "How many were new.", updated: "How many had changed." }
  }),
  Provider: entry(ProviderResource, {
    description: "A channel provider that the answering host has.",
    example: {
      kind: "telegram",
      channels: ["telegram"],
      config: { type: "object", properties: {}, required: [] },
      credentials: { type: "object", properties: { bot_token: { type: "string" } }, required: ["bot_token"] },
      takes_webhooks: true,
      polls: false,
      can_check: true,
      can_set_up: true,
      syncs_templates: false
    },
    fields: {
      config: "What `config` of a connection must be, as JSON Schema.",
      credentials: "What `credentials` of a connection must be, as JSON Schema.",
      takes_webhooks: "Whether the vendor, or customers themselves, call `webhook_url`.",
      polls: "Whether Parley asks the vendor for news.",
      can_check: "Whether a connection can be tried.",
      can_set_up: "Whether Parley can enter its webhook at the vendor by itself.",
      syncs_templates: "Whether templates are taken over from the vendor."
    }
  })
}
