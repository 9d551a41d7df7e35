import { Layer } from "effect"
import type { Decider } from "../Decider.js"
import type { EngineSettings } from "../EngineSettings.js"
import type { Inbound } from "../inbound/Inbound.js"
import type { ChannelProviders } from "../ports/ChannelProvider.js"
import type { HttpSender } from "../ports/HttpSender.js"
import type { Ids } from "../ports/Ids.js"
import type { SecretBox } from "../ports/SecretBox.js"
import type { Storage } from "../ports/Storage.js"
import type { Dispatcher } from "../worker/Dispatcher.js"
import type { Runs } from "../workflows/runs/Runs.js"
import * as AdminAgents from "./agents/AdminAgents.js"
import * as AdminApplications from "./applications/AdminApplications.js"
import * as AdminAuditLog from "./auditLog/AdminAuditLog.js"
import * as AdminBots from "./bots/AdminBots.js"
import * as AdminConnections from "./connections/AdminConnections.js"
import * as ConnectionChecks from "./connections/ConnectionChecks.js"
import * as AdminContacts from "./contacts/AdminContacts.js"
import * as ContactImports from "./contacts/ContactImports.js"
import * as AdminConversations from "./conversations/AdminConversations.js"
import * as AdminCustomFields from "./customFields/AdminCustomFields.js"
import * as AdminDeliveries from "./deliveries/AdminDeliveries.js"
import * as AdminEndpoints from "./endpoints/AdminEndpoints.js"
import * as AdminApiKeys from "./keys/AdminApiKeys.js"
import * as AdminLeads from "./leads/AdminLeads.js"
import * as AdminMessages from "./messages/AdminMessages.js"
import * as AdminNotifications from "./notifications/AdminNotifications.js"
import * as AdminOAuthClients from "./oauthClients/AdminOAuthClients.js"
import * as AdminPipelines from "./pipelines/AdminPipelines.js"
import * as AdminProviders from "./providers/AdminProviders.js"
import * as AdminRequestLog from "./requestLog/AdminRequestLog.js"
import * as AdminRetention from "./retention/AdminRetention.js"
import * as AdminSecrets from "./secrets/AdminSecrets.js"
import * as AdminStatus from "./status/AdminStatus.js"
import * as AdminTasks from "./tasks/AdminTasks.js"
import * as AdminTeams from "./teams/AdminTeams.js"
import * as AdminTemplates from "./templates/AdminTemplates.js"
import * as AdminUnknownEvents from "./unknownEvents/AdminUnknownEvents.js"
import * as AdminWorkflowRuns from "./workflows/AdminWorkflowRuns.js"
import * as AdminWorkflows from "./workflows/AdminWorkflows.js"
import * as AdminWorkspaces from "./workspaces/AdminWorkspaces.js"

/** The services behind the admin API. */
export type Administration =
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
  | ContactImports.ContactImports
  | AdminAgents.AdminAgents
  | AdminTeams.AdminTeams
  | AdminBots.AdminBots
  | AdminWorkflows.AdminWorkflows
  | AdminWorkflowRuns.AdminWorkflowRuns
  | AdminStatus.AdminStatus
  | AdminRequestLog.AdminRequestLog
  | AdminRetention.AdminRetention
  | AdminSecrets.AdminSecrets
  | AdminAuditLog.AdminAuditLog
  | AdminNotifications.AdminNotifications
  | AdminUnknownEvents.AdminUnknownEvents

/** Every service behind the admin API (decisions.md §14). */
export const layer: Layer.Layer<
  Administration,
  never,
  Storage | Decider | Dispatcher | Runs | Ids | Inbound | ChannelProviders | HttpSender | SecretBox | EngineSettings
> = Layer.mergeAll(
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
  ContactImports.layer,
  AdminAgents.layer,
  AdminTeams.layer,
  AdminBots.layer,
  AdminWorkflows.layer,
  AdminWorkflowRuns.layer,
  AdminTemplates.layer,
  AdminStatus.layer,
  AdminRequestLog.layer,
  AdminRetention.layer,
  AdminSecrets.layer,
  AdminAuditLog.layer,
  AdminNotifications.layer,
  AdminUnknownEvents.layer
)
