import { derivedIdAt } from "../derivedId.js"
import type { Instant } from "../Instant.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { newJob } from "../worker/Job.js"
import type { Notification } from "./Notification.js"

type About = Omit<Notification, "id" | "createdAt">
type Rows = readonly [notification: RowOf<"notifications">, job: RowOf<"jobs">]

/** The rows of a notification, for the commit that makes it true: what is to be known, and the job that tells it. */
export const notify = (about: About, now: Instant, ids: Ids): Rows =>
  told({ ...about, id: ids.next(now), createdAt: now }, ids.next(now))

/** The same of what is told once however often it happens: {@link notificationOnceId} is its id, and it is for `ensures`. */
export const notifyOnce = (about: About, since: Instant): Rows => {
  const id = notificationOnceId(about, since)
  return told({ ...about, id, createdAt: since }, derivedIdAt(since, `tell ${id}`))
}

/** The id of a notification that there is once of a kind about a subject since a moment. */
export const notificationOnceId = ({ kind, subjectId }: Pick<About, "kind" | "subjectId">, since: Instant): string =>
  derivedIdAt(since, `${kind} ${subjectId}`)

const told = (notification: Notification, jobId: string): Rows => {
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
