import { Layer } from "effect"
import * as AdminConversations from "../flows/agentReplies/AdminConversations.js"
import * as AdminBots from "../flows/bots/AdminBots.js"
import * as AdminConnections from "../flows/connections/AdminConnections.js"
import * as ConnectionChecks from "../flows/connections/ConnectionChecks.js"
import * as AdminUnknownEvents from "../flows/inbound/AdminUnknownEvents.js"
import * as AdminJobs from "../flows/jobs/AdminJobs.js"
import * as AdminMessages from "../flows/messageAdmin/AdminMessages.js"
import * as AdminDeliveries from "../flows/webhooks/AdminDeliveries.js"
import * as AdminEndpoints from "../flows/webhooks/AdminEndpoints.js"
import * as AdminWorkflowRuns from "../flows/workflows/AdminWorkflowRuns.js"
import * as AdminWorkflows from "../flows/workflows/AdminWorkflows.js"
import * as AdminApiKeys from "../resources/access/AdminApiKeys.js"
import * as AdminApplications from "../resources/access/AdminApplications.js"
import * as AdminAuditLog from "../resources/access/AdminAuditLog.js"
import * as AdministratorKeys from "../resources/access/AdministratorKeys.js"
import * as AdminOAuthClients from "../resources/access/AdminOAuthClients.js"
import * as AdminWorkspaces from "../resources/access/AdminWorkspaces.js"
import * as AdminAgents from "../resources/agents/AdminAgents.js"
import * as AdminTeams from "../resources/agents/AdminTeams.js"
import * as AdminProviders from "../resources/channels/AdminProviders.js"
import * as AdminContacts from "../resources/contacts/AdminContacts.js"
import * as AdminCustomFields from "../resources/contacts/AdminCustomFields.js"
import * as ContactImports from "../resources/contacts/ContactImports.js"
import * as AdminContactHistory from "../resources/contacts/history/AdminContactHistory.js"
import * as AdminLeads from "../resources/leads/AdminLeads.js"
import * as AdminPipelines from "../resources/leads/AdminPipelines.js"
import * as AdminNotifications from "../resources/notifications/AdminNotifications.js"
import * as AdminRequestLog from "../resources/requestLog/AdminRequestLog.js"
import * as AdminTasks from "../resources/tasks/AdminTasks.js"
import * as AdminTemplates from "../resources/templates/AdminTemplates.js"
import * as AdminRetention from "./AdminRetention.js"
import * as Declarations from "./declarations/Declarations.js"
import * as AdminSecrets from "./secrets/AdminSecrets.js"
import * as AdminStatus from "./status/AdminStatus.js"

/** All services of the admin API (docs/reference/administration.md#administration). */
export const layer = Layer.mergeAll(
  AdministratorKeys.layer,
  AdminWorkspaces.layer,
  AdminApplications.layer,
  AdminApiKeys.layer,
  AdminOAuthClients.layer,
  AdminEndpoints.layer,
  AdminDeliveries.layer,
  AdminConnections.layer,
  ConnectionChecks.layer,
  AdminProviders.layer,
  AdminPipelines.layer,
  AdminLeads.layer,
  AdminConversations.layer,
  AdminMessages.layer,
  AdminTasks.layer,
  AdminCustomFields.layer,
  AdminContacts.layer,
  AdminContactHistory.layer,
  ContactImports.layer,
  AdminAgents.layer,
  AdminTeams.layer,
  AdminBots.layer,
  AdminWorkflows.layer,
  AdminWorkflowRuns.layer,
  AdminTemplates.layer,
  AdminJobs.layer,
  AdminStatus.layer,
  AdminRequestLog.layer,
  AdminRetention.layer,
  AdminSecrets.layer,
  AdminAuditLog.layer,
  AdminNotifications.layer,
  AdminUnknownEvents.layer,
  Declarations.layer
)

/** The services of the admin API. */
export type Administration = Layer.Layer.Success<typeof layer>
