import { Clock, Context, Effect, Either } from "effect"
import { invalid, isTemporary, type Refusal, refuse } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { deferCommit } from "../../kernel/deferral.js"
import { isUuid } from "../../kernel/input/Fields.js"
import { lruCache } from "../../kernel/lruCache.js"
import type { Job } from "../../model/Job.js"
import { type Changes, changes, endJob } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { Entitlements } from "../../ports/Entitlements.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { Ids } from "../../ports/Ids.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { Wakeup } from "../../ports/Wakeup.js"
import { joinTrace } from "../../queue/jobTrace.js"
import type { Answer } from "../../resources/access/Answer.js"
import { type Caller, missingScope } from "../../resources/access/Caller.js"
import { inProcessCaller } from "../../resources/access/callerOf.js"
import { fingerprint } from "../../resources/access/fingerprint.js"
import { sendScopeOf } from "../../resources/access/tokenScopes.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { decodeSendMessageInput } from "../../resources/messages/SendMessageInput.js"
import { loadSendWorld } from "../../resources/messages/SendWorld.js"
import { sendMessage } from "../../resources/messages/sendMessage.js"
import { urlProblemOf } from "../../resources/messages/urlProblemOf.js"
import { decodeBusinessEventInput } from "../workflows/BusinessEventInput.js"
import { BusinessEvents } from "../workflows/BusinessEvents.js"
import { type EnqueuedRequest, enqueuedJob, isIdempotencyKey, readEnqueued, withStoredIds } from "./EnqueuedRequest.js"
import { type EnqueuedOutcome, outcomeLookup, outcomeOf, recordAccepted, recordRefused } from "./enqueuedOutcome.js"
import { sendHintsLater } from "./sendHintsLater.js"

/** Requests that applications wrote in transactions of their own (docs/reference/enqueue.md). */
export interface Enqueued {
  /**
   * The job of a new request, for the caller's transaction. Checks its shape only: rules of the interface are checked
   * by {@link accept}, after the transaction. `key`: by default the job's id. `workspaceId`: that of the application;
   * null: it is read, once for each application. Without a read, the result is there at once. Fails with `not_found`
   * for an unknown application, and with `validation_failed` or `bad_request`.
   */
  readonly prepare: (
    applicationId: string,
    request: Omit<EnqueuedRequest, "key"> & { readonly key: string | null },
    workspaceId: string | null
  ) => Effect.Effect<Job, Refusal | ReadError>
  /** To be run when the row of a job is written: sends hints to workers in the background, a little later. */
  readonly written: Effect.Effect<void>
  /** Handler of the lane `enqueued`: decides the request by the rules of the interface, and records the outcome. */
  readonly accept: (job: Job) => Effect.Effect<void, Refusal | CommitError>
  /** The outcome of a request of the application. Fails with `not_found` for an unknown id, and 30 days later. */
  readonly outcome: (applicationId: string, id: string) => Effect.Effect<EnqueuedOutcome, Refusal | ReadError>
}
export const Enqueued = Context.GenericTag<Enqueued>("@parley/core/Enqueued")

/** The result of a request: its response and the changes that it decided, or the reason of the refusal. */
type Result = Either.Either<{ readonly answer: Answer; readonly decided: Changes | null }, Refusal>

const badKey = refuse("bad_request", {
  "Idempotency-Key": ["must be 1 to 255 characters of valid Unicode text without U+0000"]
})
const unreadable = refuse(
  "bad_request",
  {},
  "The payload of the row must have kind, key and body, and the key 1 to 255 characters of valid Unicode text without U+0000."
)

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const wakeup = yield* Wakeup
  const ids = yield* Ids
  const providers = yield* ChannelProviders
  const entitlements = yield* Entitlements
  const events = yield* BusinessEvents
  const { decideAndCommit } = yield* Decider
  const urlProblem = urlProblemOf(yield* HttpSender)
  const recipientCache = lruCache<string>(10_000)

  const written = yield* sendHintsLater(wakeup.notify(new Set(["enqueued"])))

  /** The workspace of an application never changes. */
  const workspaceIds = lruCache<string>(10_000)
  const readWorkspaceId = (applicationId: string): Effect.Effect<string, Refusal | ReadError> =>
    Effect.flatMap(readById(storage, "applications", isUuid(applicationId) ? applicationId : null), (application) => {
      if (application === undefined) return refuse("not_found", {}, "No application has this id.")
      workspaceIds.set(applicationId, application.workspaceId)
      return Effect.succeed(application.workspaceId)
    })

  const callerOf = ({ subject, workspaceId }: Job): Effect.Effect<Caller, Refusal | ReadError> =>
    Effect.gen(function* () {
      const { applications, workspaces } = yield* storage.read({
        applications: lookup("applications", { id: subject }),
        workspaces: lookup("workspaces", { id: workspaceId })
      })
      const [application, workspace] = [applications[0], workspaces[0]]
      if (application === undefined || workspace === undefined || application.workspaceId !== workspace.id) {
        return yield* refuse("not_found", {}, "No application of the workspace has this id.")
      }
      return yield* inProcessCaller(application, workspace, "write", { unlimited: true })
    })

  const send = (caller: Caller, { body, key }: EnqueuedRequest): Effect.Effect<Answer, Refusal | CommitError> => {
    const decoded = decodeSendMessageInput(body)
    const idempotency = { key, fingerprint: fingerprint("POST", "/api/v1/messages", body) }
    const load = Effect.map(
      loadSendWorld({ storage, providers, recipientCache }, caller, decoded, key, null),
      (world) => ({
        ...world,
        urlProblem
      })
    )
    return Effect.zipRight(
      missingScope(caller, [sendScopeOf(decoded.value.type)]) ?? Effect.void,
      Effect.map(
        decideAndCommit(
          load,
          (world, now, ids) =>
            sendMessage(world, { decoded, idempotency, requestId: key }, { verdictWait: 0 }, now, ids),
          ({ accepted }) => (accepted === null ? Effect.void : entitlements.check(caller.application, "messages.send"))
        ),
        ({ answer }) => answer
      )
    )
  }

  const record = (caller: Caller, { body, key }: EnqueuedRequest): Effect.Effect<Answer, Refusal | CommitError> => {
    const idempotency = { key, fingerprint: fingerprint("POST", "/api/v1/events", body) }
    return Effect.zipRight(
      missingScope(caller, ["events.send"]) ?? Effect.void,
      events.record(caller, { decoded: decodeBusinessEventInput(body), idempotency })
    )
  }

  /** Decides the request. Its changes are committed together with its outcome. */
  const decide = (job: Job, request: EnqueuedRequest): Effect.Effect<Result, Refusal | CommitError> =>
    Effect.flatMap(callerOf(job), (caller) =>
      deferCommit(request.kind === "send" ? send(caller, request) : record(caller, request))
    ).pipe(
      Effect.map(({ deferred, result }): Result => Either.right({ answer: result, decided: deferred.changes })),
      Effect.catchTag("Refusal", (refusal) =>
        isTemporary(refusal) ? Effect.fail(refusal) : Effect.succeed<Result>(Either.left(refusal))
      )
    )

  return Enqueued.of({
    // Without a generator, and without reading the payload that it makes itself: callers wait in their transactions.
    prepare: (given, { body, key, kind }, known) =>
      Effect.suspend(() => {
        const { problems } = kind === "send" ? decodeSendMessageInput(body) : decodeBusinessEventInput(body)
        if (Object.keys(problems).length > 0) return invalid(problems)
        if (key !== null && !isIdempotencyKey(key)) return badKey
        // As it is stored: databases find an id in upper case too.
        const applicationId = given.toLowerCase()
        const jobIn = (workspaceId: string) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const id = ids.next(now)
            const job = enqueuedJob({ workspaceId, applicationId }, { kind, key: key ?? id, body }, id, now)
            return Effect.withFiberRuntime<Job>((fiber) => Effect.succeed(joinTrace(job, fiber.currentSpan)))
          })
        const workspaceId = known ?? workspaceIds.get(applicationId)
        return workspaceId === undefined ? Effect.flatMap(readWorkspaceId(applicationId), jobIn) : jobIn(workspaceId)
      }),
    written,
    accept: (given) => {
      const job = withStoredIds(given)
      // No outcome can be stored for it. It is parked, and the administrators are notified.
      if (!isUuid(job.subject)) return Effect.dieMessage("the subject of the row is not the id of an application")
      const request = Either.getOrNull(readEnqueued(job))
      const settle = { settle: endJob(job) }
      const load = Effect.gen(function* () {
        const { records, ...subscribers } = yield* storage.read({
          ...subscriberLookups(job.workspaceId),
          records: outcomeLookup(job.subject, job.id)
        })
        if (records.length > 0) return { result: null, subscribers }
        const decided: Result = request === null ? Either.left(unreadable) : yield* decide(job, request)
        return { result: decided, subscribers }
      })
      return decideAndCommit(load, ({ result, subscribers }, now, ids) => {
        // Recorded by a process that had lost the lease of the job: its commit could not end the job.
        if (result === null) return Either.right({ changes: changes(job.workspaceId, settle), result: undefined })
        const parts = Either.match(result, {
          onLeft: (refusal) => [recordRefused(job, request, refusal, subscribers, now, ids)],
          onRight: ({ answer, decided }) => [decided ?? {}, recordAccepted(job, answer, now)]
        })
        return Either.right({ changes: changes(job.workspaceId, ...parts, settle), result: undefined })
      })
    },
    outcome: (given, id) =>
      Effect.gen(function* () {
        const applicationId = given.toLowerCase()
        if (!isUuid(applicationId) || !isUuid(id)) return yield* refuse("not_found")
        const { jobs, records } = yield* storage.read({
          jobs: lookupById("jobs", id),
          records: outcomeLookup(applicationId, id)
        })
        if (records[0] !== undefined) return outcomeOf(records[0])
        if (jobs[0]?.subject.toLowerCase() === applicationId) return { status: "waiting" as const }
        return yield* refuse(
          "not_found",
          {},
          "The application enqueued no request with this id, or more than 30 days ago."
        )
      })
  })
})
