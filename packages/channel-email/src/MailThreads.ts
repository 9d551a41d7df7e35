import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { type InboundEvent, minute } from "@parley/core"
import { Data, Effect, Exit } from "effect"
import type { MailJob } from "./MailJob.js"
import { unknownMail } from "./unknownMail.js"

/**
 * The events of a mail of a connection. Interrupting it ends the thread that parses the mail. A mail that ends its
 * thread, by an exception or by its memory, becomes an unknown event like any that cannot be read.
 */
export type ParseMail = (connectionId: string, job: MailJob) => Effect.Effect<ReadonlyArray<InboundEvent>>

/** Options for tests. */
interface Options {
  /** The program of the threads; null: mails are parsed in the main thread. */
  readonly program: URL | null
  /** Time in ms after which an idle thread ends. */
  readonly idleMs: number
}

/** Maximum number of threads for all connections. */
const maxThreads = 2

/** Maximum size of a thread's objects, in MiB. Bytes of mails and files are not among them. */
const maxObjects = 256

/**
 * Parses mails in threads of their own (docs/reference/email.md#threads): the main thread only copies their bytes. The
 * mails of one connection are parsed one after the other, and those of different connections in turn, so that expensive
 * ones delay those of their connection only. Threads end after an idle minute, and do not keep a process running.
 */
export const mailThreads = (options: Partial<Options> = {}): ParseMail => {
  const idle = new Map<MailThread, NodeJS.Timeout>()
  const permits = Effect.unsafeMakeSemaphore(maxThreads)
  const turns = new Map<string, Turn>()
  let program = options.program

  /** Looks for the program once it is needed. */
  const programFile = (): URL | null => {
    if (program === undefined) program = builtProgram()
    return program
  }

  const start = (file: URL) =>
    Effect.zipRight(
      Effect.logDebug("a thread starts that parses mails"),
      Effect.try({
        try: () => {
          const started: MailThread = startThread(file, () => drop(started))
          return started
        },
        catch: (cause) => new ThreadLost({ phase: "start", cause })
      })
    )
  const idleOrNew = (file: URL) =>
    Effect.suspend(() => {
      const [thread] = idle.keys()
      if (thread === undefined) return start(file)
      drop(thread)
      return Effect.succeed(thread)
    })
  const drop = (thread: MailThread) => {
    clearTimeout(idle.get(thread))
    idle.delete(thread)
  }
  const keep = (thread: MailThread) =>
    Effect.sync(() => {
      if (thread.hasEnded()) return
      const end = () => {
        drop(thread)
        thread.end()
      }
      idle.set(thread, setTimeout(end, options.idleMs ?? minute).unref())
    })

  const inThread = (take: Effect.Effect<MailThread, ThreadLost>, job: MailJob) =>
    Effect.acquireUseRelease(
      take,
      (thread) => thread.parse(job),
      (thread, exit) => (Exit.isSuccess(exit) ? keep(thread) : Effect.sync(() => thread.end()))
    )

  const lost = (job: MailJob, { cause, phase }: ThreadLost): ReturnType<ParseMail> => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (phase !== "start") {
      return Effect.as(Effect.logWarning(`a mail could not be parsed: ${reason}`), [unknownMail("unreadable", job.raw)])
    }
    const isFirst = program !== null
    program = null
    return Effect.zipRight(
      isFirst
        ? Effect.logWarning(`no thread could be started, so the main thread parses mails: ${reason}`)
        : Effect.void,
      parseHere(job)
    )
  }

  return (connectionId, job) =>
    oneByOne(
      turns,
      connectionId,
      permits.withPermits(1)(
        Effect.suspend(() => {
          const file = programFile()
          if (file === null) return parseHere(job)
          return inThread(idleOrNew(file), job).pipe(
            // An earlier mail may have left behind what ended the thread.
            Effect.catchIf(
              ({ phase }) => phase === "later mail",
              () => inThread(start(file), job)
            ),
            Effect.catchAll((failure) => lost(job, failure))
          )
        })
      )
    )
}

/** Parses a mail in this thread. What it needs is loaded with the first one. */
const parseHere = (job: MailJob): Effect.Effect<ReadonlyArray<InboundEvent>> =>
  Effect.flatMap(
    Effect.promise(() => import("./pastMail.js")),
    ({ parsedMail }) => parsedMail(job)
  )

/**
 * The program beside this module where it was built. Null in sources, and in the bundle of a service that does not have
 * the file.
 */
const builtProgram = (): URL | null => {
  try {
    const files = ["mailThread.js", "mailThread.cjs"].map((name) => new URL(`./${name}`, import.meta.url))
    return files.find((file) => existsSync(file)) ?? null
  } catch {
    // Some bundlers remove the URL of a module.
    return null
  }
}

/** The thread ended before its result: at its start, or while it parsed its first or a later mail. */
class ThreadLost extends Data.TaggedError("ThreadLost")<{
  readonly phase: "start" | "first mail" | "later mail"
  readonly cause: unknown
}> {}

interface MailThread {
  /** Parses a mail; one at a time. */
  readonly parse: (job: MailJob) => Effect.Effect<ReadonlyArray<InboundEvent>, ThreadLost>
  readonly end: () => void
  readonly hasEnded: () => boolean
}

const startThread = (program: URL, onEnd: () => void): MailThread => {
  // Neither options of the process, such as modules to preload, nor its environment are for this program.
  const resourceLimits = { maxOldGenerationSizeMb: maxObjects }
  /** 1 once the program has loaded. Not a message: it could arrive after the error of the first mail. */
  const loaded = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(program, { execArgv: [], env: {}, resourceLimits, workerData: loaded })
  worker.unref()
  let hasParsed = false
  let hasEnded = false
  const phaseNow = (): ThreadLost["phase"] =>
    hasParsed ? "later mail" : Atomics.load(loaded, 0) === 1 ? "first mail" : "start"
  let settle = (_result: Effect.Effect<ReadonlyArray<InboundEvent>, ThreadLost>) => {}
  const fail = (cause: unknown) => settle(new ThreadLost({ phase: phaseNow(), cause }))
  worker.on("message", (events: ReadonlyArray<InboundEvent>) => {
    hasParsed = true
    settle(Effect.succeed(events))
  })
  worker.on("error", fail)
  worker.on("messageerror", fail)
  worker.on("exit", () => {
    hasEnded = true
    onEnd()
    fail(new Error("its thread ended"))
  })
  return {
    parse: ({ business: { address, config, name }, raw, ...job }) =>
      Effect.async<ReadonlyArray<InboundEvent>, ThreadLost>((resume) => {
        settle = resume
        worker.ref()
        // The caller keeps its bytes. An account has credentials, which no parser needs.
        const bytes = new Uint8Array(raw)
        worker.postMessage({ business: { address, config, name }, ...job, raw: bytes } satisfies MailJob, [
          bytes.buffer
        ])
      }).pipe(Effect.ensuring(Effect.sync(() => worker.unref()))),
    end: () => void worker.terminate(),
    hasEnded: () => hasEnded
  }
}

/** The mails of a connection that are parsed or wait. */
interface Turn {
  readonly semaphore: Effect.Semaphore
  mails: number
}

/** Runs the effects of one key one after the other. */
const oneByOne = <A, E>(turns: Map<string, Turn>, key: string, run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const turn = turns.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), mails: 0 }
      turns.set(key, turn)
      turn.mails++
      return turn
    }),
    ({ semaphore }) => semaphore.withPermits(1)(run),
    (turn) =>
      Effect.sync(() => {
        if (--turn.mails === 0) turns.delete(key)
      })
  )
