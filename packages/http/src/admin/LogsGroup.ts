import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  AuditEntryResource,
  AuditLogQuery,
  EventListQuery,
  EventResource,
  ListQuery,
  LoggedRequestResource,
  NotificationListQuery,
  NotificationResource,
  RequestLogQuery,
  UnknownEventResource
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { single } from "../contract/single.js"

const id = pathId("id", "resource")

/**
 * Request log, audit log, notifications and unknown vendor events (docs/reference/administration.md#audit-log ;
 * docs/reference/administration.md#request-log ; docs/reference/administration.md#notifications).
 */
export const LogsGroup = HttpApiGroup.make("logs")
  .add(
    HttpApiEndpoint.get("requests")`/request-log`
      .setUrlParams(RequestLogQuery)
      .addSuccess(cursorPage(LoggedRequestResource))
      .annotate(OpenApi.Summary, "List requests of applications and their responses, newest first")
  )
  .add(
    HttpApiEndpoint.get("request")`/request-log/${id}`
      .addSuccess(single(LoggedRequestResource))
      .annotate(OpenApi.Summary, "Read the log line of the request with this X-Request-ID")
  )
  .add(
    HttpApiEndpoint.get("audit")`/audit-log`
      .setUrlParams(AuditLogQuery)
      .addSuccess(cursorPage(AuditEntryResource))
      .annotate(OpenApi.Summary, "List changes of credentials and status with their actors, newest first")
  )
  .add(
    HttpApiEndpoint.get("notifications")`/notifications`
      .setUrlParams(NotificationListQuery)
      .addSuccess(cursorPage(NotificationResource))
      .annotate(OpenApi.Summary, "List notifications to administrators, newest first")
  )
  .add(
    HttpApiEndpoint.get("unknownEvents")`/connections/${id}/unknown-events`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(UnknownEventResource))
      .annotate(OpenApi.Summary, "List unknown events of a connection's vendor, newest first")
  )
  .add(
    HttpApiEndpoint.get("events")`/events`
      .setUrlParams(EventListQuery)
      .addSuccess(cursorPage(EventResource))
      .annotate(OpenApi.Summary, "List changes of messages, conversations, contacts and leads, newest first")
      .annotate(
        OpenApi.Description,
        "To show changes as they happen, repeat the request with `since` a minute before the newest known event, follow `links.next`, and skip the ids that are known: commits that overlap may end in another order than that of their ids."
      )
  )
  .add(
    HttpApiEndpoint.get("event")`/events/${id}`
      .addSuccess(single(EventResource))
      .annotate(OpenApi.Summary, "Read the event of this id, such as that of a webhook delivery")
  )
  .annotate(OpenApi.Title, "Logs")
  .annotate(
    OpenApi.Description,
    "Requests of applications, changes by administrators, events, notifications to administrators, and unknown events of vendors."
  )
