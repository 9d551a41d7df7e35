import {
  AgentInput,
  AgentPatch,
  ApplicationInput,
  ApplicationPatch,
  ConnectionInput,
  ConnectionPatch,
  CustomFieldInput,
  EndpointInput,
  EndpointPatch,
  LeadPatch,
  PipelineInput,
  PipelinePatch,
  RecoverInput,
  RotationInput,
  SimulatedInbound,
  scopes,
  TeamInput,
  TeamPatch,
  TemplateInput,
  TemplatePatch,
  WorkspaceInput,
  WorkspacePatch
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId

/** What the bodies of the administration are made of. */
export const adminInputs: Entries = {
  WorkspaceInput: entry(WorkspaceInput, {
    description: "A workspace to make.",
    example: { name: "Acme", default_language: "en", timezone: "Europe/Berlin" },
    fields: {
      default_language: "The language of templates, where a send names none.",
      timezone: "The time zone that automations go by, of the IANA list; UTC where it is left out."
    }
  }),
  WorkspacePatch: entry(WorkspacePatch, { description: "What to change.", example: { status: "suspended" } }),
  ApplicationInput: entry(ApplicationInput, {
    description: "An application to make.",
    example: {
      workspace_id,
      name: "Shop",
      mode: "test",
      scopes: [...scopes],
      connection_ids: [story.connectionId],
      limits: { requests_per_minute: 1_200 }
    },
    fields: {
      mode: "A test application uses only connections that are marked as test, a live one only the others.",
      connection_ids: "The connections that it may send on and hears about.",
      limits: "Calls a minute; 600 requests and 100 sends where they are left out."
    }
  }),
  ApplicationPatch: entry(ApplicationPatch, {
    description: "What to change; scopes and connections are replaced as a whole.",
    example: { status: "suspended" }
  }),
  EndpointInput: entry(EndpointInput, {
    description: "A webhook endpoint to register.",
    example: { url: "https://shop.example.org/hooks/parley", events: ["message.delivered", "message.failed"] },
    fields: { url: "An https URL, which answers within 10 seconds.", events: "Event types, or `*` for all of them." }
  }),
  EndpointPatch: entry(EndpointPatch, {
    description: "What to change. `active` forgets the failures and lets waiting deliveries go on.",
    example: { status: "active" }
  }),
  RecoverInput: entry(RecoverInput, {
    description: "From when on to deliver what was not delivered.",
    example: { since: "2026-05-04T08:30:00.000Z" },
    fields: {
      since: "Events of this moment and later ones.",
      cursor: "Where the last call stopped, with the same `since`.",
      limit: "How many events to look at in this call; all that are kept where it is left out."
    }
  }),
  ConnectionInput: entry(ConnectionInput, {
    description: "A channel to connect.",
    example: {
      workspace_id,
      channel: "whatsapp",
      provider: "sandbox",
      name: "Shop",
      handle: "+4930123456",
      is_test: true
    },
    fields: {
      provider: "Who carries the messages.",
      handle: "The business's own handle on the channel.",
      config: "Settings, as the provider has them.",
      credentials: "Secrets, as the provider has them; they are never shown again."
    }
  }),
  ConnectionPatch: entry(ConnectionPatch, {
    description: "What to change; `config` and `credentials` are replaced as a whole.",
    example: { status: "paused" }
  }),
  SimulatedInbound: entry(SimulatedInbound, {
    description: "A message as if a customer had written it.",
    example: { from: story.phone, body: "Where is my order?", name: "Ada" },
    fields: { from: "The customer's handle.", name: "What the customer is called on the channel." }
  }),
  TemplateInput: entry(TemplateInput, {
    description: "A template to make. Its slots are `{{1}}`, `{{2}}`, and so on.",
    example: {
      workspace_id,
      name: "order_shipped",
      channel: "whatsapp",
      language: "en",
      category: "utility",
      body: "Hello {{1}}, your order {{2}} is on its way.",
      status: "approved"
    },
    fields: { status: "`draft` where it is left out." }
  }),
  TemplatePatch: entry(TemplatePatch, { description: "What to change.", example: { status: "paused" } }),
  PipelineInput: entry(PipelineInput, {
    description: "A pipeline to make.",
    example: {
      workspace_id,
      name: "Sales",
      stages: [
        { key: "new", name: "New" },
        { key: "won", name: "Won" }
      ]
    },
    fields: { stages: "In their order; new leads begin in the first." }
  }),
  PipelinePatch: entry(PipelinePatch, {
    description: "What to change; the stages are replaced as a whole.",
    example: { name: "Sales 2026" }
  }),
  LeadPatch: entry(LeadPatch, { description: "The stage to move to, by its key.", example: { stage: "won" } }),
  CustomFieldInput: entry(CustomFieldInput, {
    description: "A field to add to the workspace's contacts.",
    example: { workspace_id, key: "shoe_size", type: "number", label: "Shoe size" },
    fields: { key: "What `custom_fields` calls it." }
  }),
  AgentInput: entry(AgentInput, {
    description: "An agent to make.",
    example: { workspace_id, name: "Grace", email: "grace@example.com" }
  }),
  AgentPatch: entry(AgentPatch, { description: "What to change.", example: { status: "inactive" } }),
  TeamInput: entry(TeamInput, {
    description: "A team to make.",
    example: { workspace_id, name: "Support", agent_ids: [story.agentId] }
  }),
  TeamPatch: entry(TeamPatch, {
    description: "What to change; the agents are replaced as a whole.",
    example: { agent_ids: [] }
  }),
  RotationInput: entry(RotationInput, {
    description: "Where to go on.",
    example: {},
    fields: { cursor: "That of the step before; left out, it begins at the beginning." }
  })
}
