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
import * as AdminEvents from "../flows/webhooks/AdminEvents.js"
import * as AdminWorkflowRuns from "../flows/workflows/AdminWorkflowRuns.js"
import * as AdminWorkflows from "../flows/workflows/AdminWorkflows.js"
import { Services } from "../kernel/Services.js"
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

const services = Services.none
  // Access
  .add(AdministratorKeys.AdministratorKeys, AdministratorKeys.make)
  .add(AdminWorkspaces.AdminWorkspaces, AdminWorkspaces.make)
  .add(AdminApplications.AdminApplications, AdminApplications.make)
  .add(AdminApiKeys.AdminApiKeys, AdminApiKeys.make)
  .add(AdminOAuthClients.AdminOAuthClients, AdminOAuthClients.make)
  .add(AdminAuditLog.AdminAuditLog, AdminAuditLog.make)
  // Resources
  .add(AdminProviders.AdminProviders, AdminProviders.make)
  .add(AdminContacts.AdminContacts, AdminContacts.make)
  .add(AdminContactHistory.AdminContactHistory, AdminContactHistory.make)
  .add(AdminCustomFields.AdminCustomFields, AdminCustomFields.make)
  .add(ContactImports.ContactImports, ContactImports.make)
  .add(AdminPipelines.AdminPipelines, AdminPipelines.make)
  .add(AdminLeads.AdminLeads, AdminLeads.make)
  .add(AdminTasks.AdminTasks, AdminTasks.make)
  .add(AdminAgents.AdminAgents, AdminAgents.make)
  .add(AdminTeams.AdminTeams, AdminTeams.make)
  .add(AdminTemplates.AdminTemplates, AdminTemplates.make)
  .add(AdminNotifications.AdminNotifications, AdminNotifications.make)
  .add(AdminRequestLog.AdminRequestLog, AdminRequestLog.make)
  // Flows
  .add(AdminConnections.AdminConnections, AdminConnections.make)
  .add(ConnectionChecks.ConnectionChecks, ConnectionChecks.make)
  .add(AdminConversations.AdminConversations, AdminConversations.make)
  .add(AdminMessages.AdminMessages, AdminMessages.make)
  .add(AdminEndpoints.AdminEndpoints, AdminEndpoints.make)
  .add(AdminDeliveries.AdminDeliveries, AdminDeliveries.make)
  .add(AdminEvents.AdminEvents, AdminEvents.make)
  .add(AdminBots.AdminBots, AdminBots.make)
  .add(AdminWorkflows.AdminWorkflows, AdminWorkflows.make)
  .add(AdminWorkflowRuns.AdminWorkflowRuns, AdminWorkflowRuns.make)
  .add(AdminUnknownEvents.AdminUnknownEvents, AdminUnknownEvents.make)
  .add(AdminJobs.AdminJobs, AdminJobs.make)
  // Administration of what spans rooms
  .add(AdminStatus.AdminStatus, AdminStatus.make)
  .add(AdminRetention.AdminRetention, AdminRetention.make)
  .add(AdminSecrets.AdminSecrets, AdminSecrets.make)
  .add(Declarations.Declarations, Declarations.make)

/** All services of the admin API (docs/reference/administration.md#administration). */
export const layer = Layer.scopedContext(services.made)

/** The services of the admin API. */
export type Administration = Layer.Layer.Success<typeof layer>
