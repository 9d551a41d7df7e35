import { Effect } from "effect"
import type { ActionKind } from "../../../model/Action.js"
import type { Instant } from "../../../model/Instant.js"
import type { Job } from "../../../model/Job.js"
import {
  type AnyLookup,
  type Lookups,
  lookupById,
  type RateToken,
  type ReadError,
  type Storage
} from "../../../ports/Storage.js"
import { tagLookups } from "../actions/changeTag.js"
import { leadLookups } from "../actions/openLead.js"
import { decidableActions } from "./decidableActions.js"
import { type LoadedRun, loadedOf, type RunRows, runLookups, takesStartToken } from "./loadRun.js"
import type { RunScope, RunServices } from "./RunScope.js"
import { runPayload } from "./runJob.js"
import { runStartToken } from "./runStartToken.js"

/** What the runs of one claim or commit read first. */
export interface ReadAhead {
  /** The rows of each run, by the id of its job. */
  readonly rows: ReadonlyMap<string, RunRows>
  /** The token of each run that is about to start, by the id of its job. */
  readonly startTokens: ReadonlyMap<string, RateToken>
  /** The services, whose reads of what was read ahead cost no query. The rows are as old as this value. */
  readonly services: RunServices
}

type Rows = ReadonlyArray<unknown>

const keyOf = ({ from, where }: AnyLookup): string => {
  let key: string = from
  for (const name in where) key += ` ${name} ${JSON.stringify(where[name as keyof typeof where])}`
  return key
}

const none: Rows = []

/** The rows of these lookups; null if some are not known. */
const foundIn = (known: { readonly [key: string]: Rows }, queries: Lookups): { [name: string]: Rows } | null => {
  const found: { [name: string]: Rows } = {}
  for (const name in queries) {
    const one = queries[name] ?? null
    const rows = one === null ? none : known[keyOf(one)]
    if (rows === undefined) return null
    found[name] = rows
  }
  return found
}

/** Reads the lookups of all callers, each once. */
const readAll = (
  storage: Storage,
  all: ReadonlyArray<Lookups>
): Effect.Effect<{ readonly [key: string]: Rows }, ReadError> => {
  const distinct: { [key: string]: AnyLookup } = {}
  for (const lookups of all) {
    for (const name in lookups) {
      const one = lookups[name] ?? null
      if (one !== null) distinct[keyOf(one)] = one
    }
  }
  return Object.keys(distinct).length === 0 ? Effect.succeed({}) : storage.read(distinct)
}

/**
 * Reads for several runs at once: the runs with what every run needs and their start tokens, then what their next
 * actions need. Dies for another kind of job, before it takes a token.
 */
export const readAhead = (
  services: RunServices,
  jobs: ReadonlyArray<Job>,
  now: Instant
): Effect.Effect<ReadAhead, ReadError> =>
  Effect.gen(function* () {
    const { runsPerContactAndHour, storage } = services
    const lookups = jobs.map((job) => runLookups(services, job))
    const starting = jobs.filter(takesStartToken)
    const tokenRequests = starting.map((job) => runStartToken(runPayload(job).contactId, runsPerContactAndHour, now))
    const [tokens, ofRuns] = yield* Effect.all([storage.takeTokens(tokenRequests), readAll(storage, lookups)], {
      concurrency: "unbounded"
    })
    const rows = new Map(jobs.map(({ id }, i) => [id, foundIn(ofRuns, lookups[i] as Lookups) as RunRows]))
    const ofActions = yield* readAll(
      storage,
      jobs.flatMap((job) => {
        const loaded = loadedOf(services, job, rows.get(job.id) as RunRows, now)
        return "_tag" in loaded ? [] : worldLookups(services, loaded, now)
      })
    )
    const read = (queries: Lookups) => {
      const found = foundIn(ofActions, queries)
      return found === null ? storage.read(queries) : Effect.succeed(found)
    }
    return {
      rows,
      startTokens: new Map(starting.map(({ id }, i) => [id, tokens[i] as RateToken])),
      services: { ...services, storage: { ...storage, read: read as Storage["read"] } }
    }
  })

const worldLookups = (
  services: RunServices,
  { definition, scope }: LoadedRun,
  now: Instant
): ReadonlyArray<Lookups> => [
  { messages: lookupById("messages", scope.run.pending?.messageId) },
  ...decidableActions(definition, scope.run, null, now).map(([, action]) => actionLookups(services, scope, action))
]

/** The lookups with which `prepare` of an action begins; none for actions that are rare. */
const actionLookups = (services: RunServices, scope: RunScope, action: ActionKind): Lookups => {
  switch (action.type) {
    case "add_tag":
    case "remove_tag":
      return tagLookups(scope, action)
    case "create_lead":
      return leadLookups(services, scope, action)
    default:
      return {}
  }
}
