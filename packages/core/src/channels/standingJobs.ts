import { derivedId } from "../derivedId.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row } from "../ports/Changes.js"
import type { ChannelProvider } from "../ports/ChannelProvider.js"
import type { Connection } from "./Connection.js"
import { fetchJob } from "./fetchJob.js"

/** What is asked of a vendor again and again, for as long as a connection is active, and what a provider needs for it. */
const standing = [
  { task: "poll", asks: ({ poll }: ChannelProvider) => poll !== undefined },
  { task: "sync_templates", asks: ({ listTemplates }: ChannelProvider) => listTemplates !== undefined }
] as const

/**
 * The jobs that an active connection has, for the commit that makes it active: one of each kind, whoever ensures them and
 * however often, so that two hosts never ask for one connection at a time.
 */
export const standingJobs = (connection: Connection, provider: ChannelProvider | undefined, now: Instant): Parts => ({
  ensures: standing
    .filter(({ asks }) => provider !== undefined && asks(provider))
    .map(({ task }) => {
      const { id: reference } = connection
      return row("jobs", fetchJob(connection, { id: derivedId(reference, task), task, reference, runAt: now }, now))
    })
})

/**
 * What must hold for a standing job to end with a connection that is not active: that nobody activates it at this very
 * moment, who would find the job still there and make no other.
 */
export const endStanding = ({ id, status }: Connection): Parts => ({
  expects: [expect("connections", { id }, { status })]
})
