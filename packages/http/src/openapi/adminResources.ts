import {
  AdminLeadResource,
  AdminTemplateResource,
  AgentResource,
  CustomFieldResource,
  PipelineResource,
  TeamResource
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId

const created_at = story.began

/** The other resources of the administration that the public interface does not have. */
export const adminResources: Entries = {
  AdminTemplate: entry(AdminTemplateResource, {
    description: "A text with slots, approved before it is sent.",
    example: {
      id: story.templateId,
      workspace_id,
      name: "order_shipped",
      channel: "whatsapp",
      language: "en",
      category: "utility",
      status: "approved",
      is_sendable: true,
      body: "Hello {{1}}, your order {{2}} is on its way.",
      variables: ["1", "2"],
      created_at
    },
    fields: { variables: "The names of the slots, in the order of their values." }
  }),
  Pipeline: entry(PipelineResource, {
    description: "The stages that leads move through.",
    example: {
      id: story.pipelineId,
      workspace_id,
      name: "Sales",
      stages: [
        { key: "new", name: "New" },
        { key: "won", name: "Won" }
      ],
      created_at
    },
    fields: { stages: "In their order." }
  }),
  AdminLead: entry(AdminLeadResource, {
    description: "A contact's way through a pipeline.",
    example: {
      id: story.leadId,
      workspace_id,
      contact_id: story.contactId,
      pipeline_id: story.pipelineId,
      stage: "new",
      title: "Yearly plan",
      value: 1_200,
      currency: "EUR",
      created_at,
      updated_at: created_at
    },
    fields: { stage: "The key of a stage of the pipeline." }
  }),
  CustomField: entry(CustomFieldResource, {
    description: "A field that the workspace adds to its contacts.",
    example: { workspace_id, key: "shoe_size", type: "number", label: "Shoe size" }
  }),
  Agent: entry(AgentResource, {
    description: "Somebody who answers customers.",
    example: {
      id: story.agentId,
      workspace_id,
      name: "Grace",
      email: "grace@example.com",
      status: "active",
      created_at
    }
  }),
  Team: entry(TeamResource, {
    description: "Agents who work together.",
    example: { id: story.teamId, workspace_id, name: "Support", agent_ids: [story.agentId], created_at }
  })
}
