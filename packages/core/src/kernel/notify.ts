import type { Instant } from "../model/Instant.js"
import { newJob } from "../model/Job.js"
import type { Notification } from "../model/Notification.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { derivedIdAt } from "./derivedId.js"

type NoticeFields = Omit<Notification, "id" | "createdAt">
type Rows = readonly [notification: RowOf<"notifications">, job: RowOf<"jobs">]

/**
 * The rows of a notification and the job that delivers it. They belong to the commit of the change that the
 * notification reports.
 */
export const notify = (notice: NoticeFields, now: Instant, ids: Ids): Rows =>
  notificationRows({ ...notice, id: ids.next(now), createdAt: now }, ids.next(now))

/**
 * Like {@link notify}, for a notification that exists at most once. Its id is {@link notificationOnceId}; the rows are
 * for `ensures`.
 */
export const notifyOnce = (notice: NoticeFields, since: Instant, id = notificationOnceId(notice, since)): Rows =>
  notificationRows({ ...notice, id, createdAt: since }, derivedIdAt(since, `tell ${id}`))

/** Derived id: one notification for each kind, subject and start time. */
export const notificationOnceId = (
  { kind, subjectId }: Pick<NoticeFields, "kind" | "subjectId">,
  since: Instant
): string => derivedIdAt(since, `${kind} ${subjectId}`)

const notificationRows = (notification: Notification, jobId: string): Rows => {
  const { createdAt, id: reference, subjectId: subject, workspaceId } = notification
  const job = newJob({
    id: jobId,
    workspaceId,
    lane: "housekeeping",
    subject,
    reference,
    payload: { task: "notify" },
    runAt: createdAt,
    createdAt
  })
  return [row("notifications", notification), row("jobs", job)]
}
