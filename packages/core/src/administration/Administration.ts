import { Context, Effect, Layer } from "effect"
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
import { addService } from "../kernel/addService.js"
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

const services = Effect.succeed(Context.empty())
  // Access
  .pipe(
    addService(AdministratorKeys.AdministratorKeys, AdministratorKeys.make),
    addService(AdminWorkspaces.AdminWorkspaces, AdminWorkspaces.make),
    addService(AdminApplications.AdminApplications, AdminApplications.make),
    addService(AdminApiKeys.AdminApiKeys, AdminApiKeys.make),
    addService(AdminOAuthClients.AdminOAuthClients, AdminOAuthClients.make),
    addService(AdminAuditLog.AdminAuditLog, AdminAuditLog.make)
  )
  // Resources
  .pipe(
    addService(AdminProviders.AdminProviders, AdminProviders.make),
    addService(AdminContacts.AdminContacts, AdminContacts.make),
    addService(AdminContactHistory.AdminContactHistory, AdminContactHistory.make),
    addService(AdminCustomFields.AdminCustomFields, AdminCustomFields.make),
    addService(ContactImports.ContactImports, ContactImports.make),
    addService(AdminPipelines.AdminPipelines, AdminPipelines.make),
    addService(AdminLeads.AdminLeads, AdminLeads.make),
    addService(AdminTasks.AdminTasks, AdminTasks.make),
    addService(AdminAgents.AdminAgents, AdminAgents.make),
    addService(AdminTeams.AdminTeams, AdminTeams.make),
    addService(AdminTemplates.AdminTemplates, AdminTemplates.make),
    addService(AdminNotifications.AdminNotifications, AdminNotifications.make),
    addService(AdminRequestLog.AdminRequestLog, AdminRequestLog.make)
  )
  // Flows
  .pipe(
    addService(AdminConnections.AdminConnections, AdminConnections.make),
    addService(ConnectionChecks.ConnectionChecks, ConnectionChecks.make),
    addService(AdminConversations.AdminConversations, AdminConversations.make),
    addService(AdminMessages.AdminMessages, AdminMessages.make),
    addService(AdminEndpoints.AdminEndpoints, AdminEndpoints.make),
    addService(AdminDeliveries.AdminDeliveries, AdminDeliveries.make),
    addService(AdminBots.AdminBots, AdminBots.make),
    addService(AdminWorkflows.AdminWorkflows, AdminWorkflows.make),
    addService(AdminWorkflowRuns.AdminWorkflowRuns, AdminWorkflowRuns.make),
    addService(AdminUnknownEvents.AdminUnknownEvents, AdminUnknownEvents.make),
    addService(AdminJobs.AdminJobs, AdminJobs.make)
  )
  // Administration of what spans rooms
  .pipe(
    addService(AdminStatus.AdminStatus, AdminStatus.make),
    addService(AdminRetention.AdminRetention, AdminRetention.make),
    addService(AdminSecrets.AdminSecrets, AdminSecrets.make),
    addService(Declarations.Declarations, Declarations.make)
  )

/** All services of the admin API (docs/reference/administration.md#administration). */
export const layer = Layer.scopedContext(services)

/** The services of the admin API. */
export type Administration = Layer.Layer.Success<typeof layer>
