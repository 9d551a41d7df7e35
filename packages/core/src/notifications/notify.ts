import type { Instant } from "../Instant.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { newJob } from "../worker/Job.js"
import type { Notification } from "./Notification.js"

/** The rows of a notification, for the commit that makes it true: what is to be known, and the job that tells it. */
export const notify = (
  about: Omit<Notification, "id" | "createdAt">,
  now: Instant,
  ids: Ids
): readonly [notification: RowOf<"notifications">, job: RowOf<"jobs">] => {
  const { subjectId: subject, workspaceId } = about
  const reference = ids.next(now)
  const job = newJob({
    id: ids.next(now),
    workspaceId,
    lane: "housekeeping",
    subject,
    reference,
    payload: { task: "notify" },
    runAt: now,
    createdAt: now
  })
  return [row("notifications", { ...about, id: reference, createdAt: now }), row("jobs", job)]
}
