import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  AuditEntryResource,
  AuditLogQuery,
  ListQuery,
  LoggedRequestResource,
  NotificationListQuery,
  NotificationResource,
  RequestLogQuery,
  UnknownEventResource,
  uuid
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** What happened, for administrators to read (decisions.md §14). */
export const LogsGroup = HttpApiGroup.make("logs")
  .add(
    HttpApiEndpoint.get("requests")`/request-log`
      .setUrlParams(RequestLogQuery)
      .addSuccess(cursorPage(LoggedRequestResource))
      .annotate(OpenApi.Summary, "List what applications asked and what came of it, newest first")
  )
  .add(
    HttpApiEndpoint.get("request")`/request-log/${id}`
      .addSuccess(single(LoggedRequestResource))
      .annotate(OpenApi.Summary, "Read the line of the request whose answer had this X-Request-ID")
  )
  .add(
    HttpApiEndpoint.get("audit")`/audit-log`
      .setUrlParams(AuditLogQuery)
      .addSuccess(cursorPage(AuditEntryResource))
      .annotate(OpenApi.Summary, "List who changed credentials and status, newest first")
  )
  .add(
    HttpApiEndpoint.get("notifications")`/notifications`
      .setUrlParams(NotificationListQuery)
      .addSuccess(cursorPage(NotificationResource))
      .annotate(OpenApi.Summary, "List what administrators were told, newest first")
  )
  .add(
    HttpApiEndpoint.get("unknownEvents")`/connections/${id}/unknown-events`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(UnknownEventResource))
      .annotate(OpenApi.Summary, "List what a connection's vendor sent and nobody understood, newest first")
  )
  .annotate(OpenApi.Title, "Logs")
  .annotate(
    OpenApi.Description,
    "What applications asked, who changed what, what administrators were told, and what vendors sent that nobody understood."
  )
