import { SandboxProvider } from "@parley/channel-sandbox"
import {
  Blobs,
  type ChannelProvider,
  ChannelProviders,
  FileGone,
  HttpSender,
  Ids,
  isPresenceJob,
  isServedBySubject,
  type Job,
  type OutboundResult,
  subscriptionUrl
} from "@parley/core"
import type {
  AnyEventHandler,
  AnySubscriptionOptions,
  EventAttempt,
  EventHandler,
  PlainOptions,
  SubscribedType,
  SubscribedTypes,
  Subscription,
  SubscriptionOptions,
  WorkspaceEventHandler,
  WorkspaceSubscriptionOptions
} from "@parley/host"
import { makeOptionReader, optionNames, startParley } from "@parley/host/layers"
import * as Memory from "@parley/memory"
import { MemoryBlobs } from "@parley/node"
import { Duration, Effect, Layer, Stream } from "effect"
import type { PostedAnswer, PostedRequest, SentMessage, TestParley, TestParleyOptions } from "./TestParley.js"
import { makeTestTime, type TestTime } from "./TestTime.js"

/**
 * An engine for one test: in memory, without native code or network, with a clock that stands still until
 * {@link TestParley.advance}, and with ids that are the same in every run. Channels are those of the sandbox unless
 * given. `POST /messages` does not wait for the verdict of the provider unless `verdictWaitMs` is given.
 *
 * @example
 * ```ts
 * await using parley = await createTestParley()
 * const { applications } = await parley.setup({ … })
 * await parley.as(applications.shop.id).messages.send({ channel: "whatsapp", to, type: "text", message: { body: "Hello"
 * } }) await parley.advance("1 second")
 * expect(parley.sent).toMatchObject([{ to, body: "Hello" }])
 * ```
 */
export const createTestParley = async (given: TestParleyOptions = {}): Promise<TestParley> => {
  const problems = problemsOf(given)
  if (problems.length > 0) throw new TypeError(`createTestParley: ${problems.join("\n")}`)
  const {
    answer = () => ({ status: 200 }),
    channels = [SandboxProvider],
    files = () => "A file of a test.",
    startsAt = new Date("2026-01-05T09:00:00Z"),
    ...options
  } = given
  const time = makeTestTime(startsAt.getTime())
  const database = Memory.makeMemoryDatabase({ clock: time.now })
  const sent: Array<SentMessage> = []
  const posted: Array<PostedRequest> = []
  const parley = await startParley(
    {
      channels,
      logLevel: "warn",
      verdictWaitMs: 0,
      ...tracked(options, time),
      storage: Memory.layer(database),
      blobs: Layer.sync(Blobs, MemoryBlobs.make),
      // No secret: it encrypts memory.
      secretKey: Buffer.alloc(32, 1).toString("base64")
    },
    {
      process: time.process,
      ports: (ports) =>
        Layer.merge(
          ports,
          Layer.mergeAll(
            Layer.succeed(Ids, Memory.makeTestIds()),
            recordSent(sent, time),
            recordPosted(posted, { answer, files }, time)
          ).pipe(Layer.provide(ports))
        )
    }
  )

  /** The subscriptions that a handler or a loop serves, as `<application> <URL>`. */
  const served = new Set<string>()
  const isServed = ({ lane, subject }: Job): boolean => {
    if (!isServedBySubject(lane)) return true
    const endpoint = database.table("endpoints").get(subject)
    return endpoint !== undefined && served.has(`${endpoint.applicationId} ${endpoint.url}`)
  }
  const isRunning = (job: Job): boolean =>
    job.leaseUntil > time.now() || (job.runAt <= time.now() && job.lane !== "parked" && isServed(job))
  /**
   * The next moment at which something happens: of a timer while jobs run, else of a job, because idle workers only
   * poll.
   */
  const nextMoment = (): number | null => {
    const jobs = [...database.table("jobs").all()] as unknown as ReadonlyArray<Job>
    if (time.isWorking() || jobs.some(isRunning)) return time.nextTimer()
    // The job of presence is due every minute, and does nothing.
    const waiting = jobs
      .filter((job) => !isPresenceJob(job))
      .flatMap(({ runAt }) => (runAt > time.now() ? [runAt] : []))
    return waiting.length === 0 ? null : Math.min(...waiting)
  }
  const advance: TestParley["advance"] = async (span) => {
    const until = time.now() + millisOf(span)
    await time.idle()
    for (let next = nextMoment(); next !== null && next <= until; next = nextMoment()) {
      time.moveTo(next)
      await time.idle()
    }
    time.moveTo(until)
    await time.idle()
  }
  /** Jobs in progress may wait for the time of the test, which passes now as fast as it can. */
  const close = async () => {
    let isClosed = false
    const closing = parley.close().finally(() => {
      isClosed = true
    })
    for (; !isClosed; await time.idle()) time.moveTo(time.nextTimer() ?? time.now())
    await closing
  }
  const serving = (name: string, { application, workspace }: Owner): Serving => {
    const subscription = `${(application ?? workspace)?.toLowerCase()} ${subscriptionUrl(name)}`
    return { begins: () => served.add(subscription), ends: () => served.delete(subscription) }
  }
  const on: TestParley["on"] = async (
    name: string,
    types: SubscribedTypes<SubscribedType>,
    handler: AnyEventHandler,
    options: AnySubscriptionOptions
  ): Promise<Subscription> => {
    const tracked =
      typeof handler === "function"
        ? (event: never, attempt: EventAttempt) => time.track(Promise.resolve(handler(event, attempt)))
        : handler
    const subscription =
      options?.workspace === undefined
        ? await parley.on(name, types, tracked as EventHandler, options)
        : await parley.on(name, types, tracked as WorkspaceEventHandler, options)
    const { begins, ends } = serving(name, options)
    begins()
    const ending = (end: () => Promise<void>) => () => {
      ends()
      return end()
    }
    return { ...subscription, stop: ending(subscription.stop), remove: ending(subscription.remove) }
  }
  const events: TestParley["events"] = (
    name: string,
    types: SubscribedTypes<SubscribedType>,
    options: Omit<SubscriptionOptions, "concurrency"> | Omit<WorkspaceSubscriptionOptions, "concurrency">
  ): AsyncIterable<never> => {
    const loop =
      options?.workspace === undefined ? parley.events(name, types, options) : parley.events(name, types, options)
    return trackedEvents(loop as AsyncIterable<never>, serving(name, options), time)
  }

  return {
    ...parley,
    on,
    events,
    sent,
    posted,
    forget: () => {
      sent.length = 0
      posted.length = 0
    },
    now: () => new Date(time.now()),
    idle: time.idle,
    advance,
    receive: async (connectionId, { body, from }) => {
      await parley.admin.connections.simulateInbound(connectionId, { from, body })
      await time.idle()
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

/** The ms of a time to pass, which may come from untyped JavaScript. A fraction of a ms would break the clock. */
const millisOf = (span: unknown): number => {
  const isTimeSpan =
    typeof span === "number" ||
    (typeof span === "string" && /^\d+(\.\d+)? (millis|(second|minute|hour|day)s?)$/.test(span))
  const ms = isTimeSpan ? (typeof span === "number" ? span : Duration.toMillis(span as Duration.DurationInput)) : -1
  if (Number.isSafeInteger(ms) && ms >= 0) return ms
  throw new TypeError(
    `parley.advance: the time must be a whole number of ms, or such as "2 hours", not ${JSON.stringify(span)}`
  )
}

/** Options of `createParley` that a test has of its own. */
const refusedNames = ["storage", "blobs", "secretKey", "worker"]
const ownNames = ["startsAt", "answer", "files"]
const testNames = [...ownNames, ...optionNames.filter((name) => !refusedNames.includes(name))]

/** Problems of the names, and of the options that are this function's own. They may come from untyped JavaScript. */
const problemsOf = (given: unknown): ReadonlyArray<string> => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return ["the options must be an object, or absent"]
  }
  const options: { readonly [name: string]: unknown } = { ...given }
  const { answer, files, startsAt } = options
  const isTime = startsAt === undefined || (startsAt instanceof Date && !Number.isNaN(startsAt.getTime()))
  const { known, problems } = makeOptionReader()
  known("", Object.fromEntries(Object.entries(given).filter(([name]) => !refusedNames.includes(name))), testNames)
  return [
    ...problems,
    ...Object.entries({ answer, files }).flatMap(([name, option]) =>
      option === undefined || typeof option === "function" ? [] : [`${name} must be a function`]
    ),
    ...refusedNames.flatMap((name) =>
      options[name] === undefined ? [] : [`${name} is not an option: a test has its own, in memory`]
    ),
    ...(isTime ? [] : ["startsAt must be a Date"])
  ]
}

/** The options, whose functions count as work of the engine. */
const tracked = <Options extends Partial<PlainOptions>>(options: Options, time: TestTime): Options => {
  const { entitlements, notifier, responder } = options
  return {
    ...options,
    ...(typeof entitlements === "function" && {
      entitlements: (...given) => time.track(Promise.resolve(entitlements(...given)))
    }),
    ...(typeof notifier === "function" && { notifier: (notice) => time.track(Promise.resolve(notifier(notice))) }),
    ...(typeof responder === "function" && { responder: (turn) => time.track(Promise.resolve(responder(turn))) })
  }
}

/** Whose events a subscription gets. */
type Owner = Pick<AnySubscriptionOptions, "application" | "workspace">

/** Tells whether this process serves a subscription. */
interface Serving {
  readonly begins: () => void
  readonly ends: () => void
}

/** The events of a loop. Each counts as work until the loop asks for the next one, or ends. */
const trackedEvents = <Event>(
  events: AsyncIterable<Event>,
  { begins, ends }: Serving,
  time: TestTime
): AsyncIterable<Event> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = events[Symbol.asyncIterator]()
    let handled = () => {}
    return {
      next: async () => {
        handled()
        begins()
        const next = await iterator.next()
        if (next.done) ends()
        else {
          void time.track(
            new Promise<void>((resolve) => {
              handled = resolve
            })
          )
        }
        return next
      },
      return: async () => {
        handled()
        ends()
        await iterator.return?.()
        return { done: true, value: undefined }
      }
    }
  }
})

const recordSent = (sent: Array<SentMessage>, time: TestTime) => {
  const recording = (provider: ChannelProvider): ChannelProvider => ({
    ...provider,
    send: (connection, credentials, message, now) =>
      Effect.suspend(() => {
        const { channel, handle: from, id: connectionId } = connection
        sent.push({ ...message, channel, from, connectionId, sentAt: new Date(time.now()) })
        const sending = provider.send(connection, credentials, message, now)
        // The sandbox waits for the time of the test only, others for real answers.
        return provider === SandboxProvider ? sending : time.trackEffect(sending)
      })
  })
  return Layer.effect(
    ChannelProviders,
    Effect.map(ChannelProviders, ({ byKind, channels }) => ({
      channels,
      byKind: new Map([...byKind].map(([kind, provider]) => [kind, recording(provider)]))
    }))
  )
}

const recordPosted = (
  posted: Array<PostedRequest>,
  { answer, files }: { readonly [Option in "answer" | "files"]: NonNullable<TestParleyOptions[Option]> },
  time: TestTime
): Layer.Layer<HttpSender, never, HttpSender> =>
  Layer.effect(
    HttpSender,
    Effect.map(HttpSender, ({ refusal }) => ({
      refusal,
      post: ({ body, headers, url }) =>
        time.trackEffect(
          Effect.promise(async () => {
            const request = { url, headers, body: parsed(body), postedAt: new Date(time.now()) }
            posted.push(request)
            return resultOf(await answer(request))
          })
        ),
      get: (url) =>
        Effect.flatMap(time.trackEffect(Effect.promise(async () => files(url))), (file) =>
          file === null
            ? Effect.fail(new FileGone({ reason: "its URL answered 404" }))
            : Effect.succeed({ contentType: null, fileName: null, bytes: Stream.make(Buffer.from(file)) })
        )
    }))
  )

const resultOf = (answer: PostedAnswer): OutboundResult =>
  "error" in answer
    ? { _tag: "NotAnswered", error: answer.error }
    : { _tag: "Answered", status: answer.status, body: answer.body ?? "" }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
