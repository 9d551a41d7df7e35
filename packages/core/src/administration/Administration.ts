import { Layer } from "effect"
import * as AdminBots from "../flows/bots/AdminBots.js"
import * as AdminConversations from "../flows/desk/AdminConversations.js"
import * as AdminMessages from "../flows/desk/AdminMessages.js"
import * as AdminUnknownEvents from "../flows/inbound/AdminUnknownEvents.js"
import type { Inbound } from "../flows/inbound/Inbound.js"
import * as AdminJobs from "../flows/jobs/AdminJobs.js"
import * as AdminDeliveries from "../flows/webhooks/AdminDeliveries.js"
import * as AdminEndpoints from "../flows/webhooks/AdminEndpoints.js"
import * as AdminWorkflowRuns from "../flows/workflows/AdminWorkflowRuns.js"
import * as AdminWorkflows from "../flows/workflows/AdminWorkflows.js"
import type { Runs } from "../flows/workflows/runs/Runs.js"
import type { Decider } from "../kernel/Decider.js"
import type { EngineSettings } from "../kernel/EngineSettings.js"
import type { ChannelProviders } from "../ports/ChannelProvider.js"
import type { HttpSender } from "../ports/HttpSender.js"
import type { Ids } from "../ports/Ids.js"
import type { SecretBox } from "../ports/SecretBox.js"
import type { Storage } from "../ports/Storage.js"
import type { Dispatcher } from "../queue/Dispatcher.js"
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
import * as AdminLeads from "../resources/leads/AdminLeads.js"
import * as AdminPipelines from "../resources/leads/AdminPipelines.js"
import * as AdminNotifications from "../resources/notifications/AdminNotifications.js"
import * as AdminRequestLog from "../resources/requestLog/AdminRequestLog.js"
import * as AdminTasks from "../resources/tasks/AdminTasks.js"
import * as AdminTemplates from "../resources/templates/AdminTemplates.js"
import * as AdminRetention from "./AdminRetention.js"
import * as AdminConnections from "./connections/AdminConnections.js"
import * as ConnectionChecks from "./connections/ConnectionChecks.js"
import * as AdminContactHistory from "./contactHistory/AdminContactHistory.js"
import * as Declarations from "./declarations/Declarations.js"
import * as AdminSecrets from "./secrets/AdminSecrets.js"
import * as AdminStatus from "./status/AdminStatus.js"

/** The services of the admin API. */
export type Administration =
  | AdministratorKeys.AdministratorKeys
  | AdminWorkspaces.AdminWorkspaces
  | AdminApplications.AdminApplications
  | AdminApiKeys.AdminApiKeys
  | AdminOAuthClients.AdminOAuthClients
  | AdminEndpoints.AdminEndpoints
  | AdminDeliveries.AdminDeliveries
  | AdminConnections.AdminConnections
  | ConnectionChecks.ConnectionChecks
  | AdminProviders.AdminProviders
  | AdminTemplates.AdminTemplates
  | AdminPipelines.AdminPipelines
  | AdminLeads.AdminLeads
  | AdminConversations.AdminConversations
  | AdminMessages.AdminMessages
  | AdminTasks.AdminTasks
  | AdminCustomFields.AdminCustomFields
  | AdminContacts.AdminContacts
  | AdminContactHistory.AdminContactHistory
  | ContactImports.ContactImports
  | AdminAgents.AdminAgents
  | AdminTeams.AdminTeams
  | AdminBots.AdminBots
  | AdminWorkflows.AdminWorkflows
  | AdminWorkflowRuns.AdminWorkflowRuns
  | AdminJobs.AdminJobs
  | AdminStatus.AdminStatus
  | AdminRequestLog.AdminRequestLog
  | AdminRetention.AdminRetention
  | AdminSecrets.AdminSecrets
  | AdminAuditLog.AdminAuditLog
  | AdminNotifications.AdminNotifications
  | AdminUnknownEvents.AdminUnknownEvents
  | Declarations.Declarations

/** All services of the admin API (docs/reference/administration.md#administration). */
export const layer: Layer.Layer<
  Administration,
  never,
  Storage | Decider | Dispatcher | Runs | Ids | Inbound | ChannelProviders | HttpSender | SecretBox | EngineSettings
> = Layer.mergeAll(
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
