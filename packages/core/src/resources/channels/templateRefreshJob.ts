import { derivedId } from "../../kernel/derivedId.js"
import type { Connection } from "../../model/Connection.js"
import { type Instant, minute } from "../../model/Instant.js"
import { type Parts, row } from "../../ports/Changes.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import { fetchJob } from "./fetchJob.js"

/** Whether the templates of a connection are imported from its vendor. */
export const canSyncTemplates = (
  { listTemplates }: Pick<ChannelProvider, "listTemplates">,
  { status }: Pick<Connection, "status">
): boolean => listTemplates !== undefined && status === "active"

/**
 * The job that imports the templates once, at the end of this minute, so that news of many templates cause one import
 * that begins after all of them.
 */
export const templateRefreshJob = (connection: Connection, now: Instant): Parts => {
  const { id: reference } = connection
  const runAt = now - (now % minute) + minute
  const task = "refresh_templates"
  return {
    ensures: [
      row("jobs", fetchJob(connection, { id: derivedId(reference, `${task} ${runAt}`), task, reference, runAt }, now))
    ]
  }
}
