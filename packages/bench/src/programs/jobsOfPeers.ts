import * as modules from "node:module"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import Pg from "pg"
import { postgresCpu } from "../measuring/postgresCpu.js"
import { rateOf } from "../measuring/RoundResult.js"
import type { Store } from "../world/Store.js"
import { answerOrders, settingOf } from "./answerOrders.js"
import type { JobsOrder, WorkedOff } from "./jobs.js"

/** How the program is started. */
export interface JobsOfPeersSetting {
  readonly store: Store & { readonly kind: "postgres" }
  readonly peer: keyof typeof peers
  /** The folder where the peers are installed. */
  readonly folder: string
  /** Of BullMQ. */
  readonly redisUrl: string
}

/** A queue on an own database. Jobs do nothing. */
interface Queue {
  readonly add: (count: number) => Promise<unknown>
  readonly workOff: (count: number) => Promise<unknown>
}

const { folder, peer, redisUrl, store } = settingOf<JobsOfPeersSetting>()
const imported = modules.createRequire(join(folder, "package.json"))
const serverCpu = await postgresCpu(store.url)

/** Jobs of one claim, and of one portion that is added. */
const [claimed, portion] = [500, 1_000]

/** With its local queue and completions in batches, which are off by default. */
const graphile = async (): Promise<Queue> => {
  const { Logger, makeWorkerUtils, run } = imported("graphile-worker")
  const logger = new Logger(() => () => {})
  const utils = await makeWorkerUtils({ connectionString: store.url, logger })
  await utils.migrate()
  await utils.release()
  const client = new Pg.Client(store.url)
  await client.connect()
  let done = 0
  const worker = {
    connectionString: store.url,
    concurrentJobs: 32,
    localQueue: { size: claimed },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    maxPoolSize: 10,
    pollInterval: 500,
    getQueueNameBatchDelay: 0
  }
  const taskList = {
    nothing: () => {
      done++
    }
  }
  return {
    add: (count) =>
      client.query(
        `SELECT graphile_worker.add_jobs(ARRAY(SELECT json_populate_record(NULL::graphile_worker.job_spec,
          json_build_object('identifier', 'nothing', 'payload', json_build_object('n', n)))
        FROM generate_series(1, $1) AS n))`,
        [count]
      ),
    workOff: async (count) => {
      done = 0
      const runner = await run({ preset: { worker: { ...worker, logger } }, logger, noHandleSignals: true, taskList })
      while (done < count) await sleep(5)
      // What is not recorded yet is recorded before it stops.
      await runner.stop()
    }
  }
}

const pgBoss = async (): Promise<Queue> => {
  const PgBoss = imported("pg-boss")
  const boss = new PgBoss({ connectionString: store.url, schedule: false, supervise: false })
  boss.on("error", (error: unknown) => {
    throw error
  })
  await boss.start()
  await boss.createQueue("nothing")
  return {
    add: async (count) => {
      for (let from = 0; from < count; from += portion) {
        const size = Math.min(portion, count - from)
        await boss.insert(Array.from({ length: size }, (_, n) => ({ name: "nothing", data: { n } })))
      }
    },
    workOff: async (count) => {
      for (let done = 0; done < count; ) {
        const jobs: ReadonlyArray<{ readonly id: string }> = await boss.fetch("nothing", { batchSize: claimed })
        const jobIds = jobs.map(({ id }) => id)
        await boss.complete("nothing", jobIds)
        done += jobs.length
      }
    }
  }
}

/** Leases and deletes in batches, on a table like the engine's. */
const byHand = async (): Promise<Queue> => {
  const client = new Pg.Client(store.url)
  await client.connect()
  await client.query(`CREATE TABLE jobs (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), lane text NOT NULL, payload json, run_at bigint NOT NULL,
    lease_until bigint NOT NULL DEFAULT 0, epoch bigint NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0,
    due_at bigint GENERATED ALWAYS AS (greatest(run_at, lease_until)) STORED)`)
  await client.query("CREATE INDEX ON jobs (lane, due_at, id)")
  const claim = `UPDATE jobs AS t SET lease_until = $2, epoch = t.epoch + 1, attempts = t.attempts + 1
    WHERE id = ANY (ARRAY(SELECT id FROM jobs WHERE lane = 'nothing' AND due_at <= $1 ORDER BY due_at, id LIMIT $3
      FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING id, epoch, payload`
  const settle = `DELETE FROM jobs AS t USING json_to_recordset($1::json) AS v(id uuid, epoch bigint)
    WHERE t.id = v.id AND t.epoch = v.epoch`
  return {
    add: async (count) => {
      await client.query(
        `INSERT INTO jobs (lane, payload, run_at)
        SELECT 'nothing', json_build_object('n', n), n FROM generate_series(1, $1::int) AS n`,
        [count]
      )
      await client.query("ANALYZE jobs")
    },
    workOff: async (count) => {
      for (let done = 0; done < count; ) {
        const now = Date.now()
        const { rows } = await client.query({ name: "claim", text: claim, values: [now, now + 15_000, claimed] })
        const settled = JSON.stringify(rows.map(({ epoch, id }) => ({ id, epoch })))
        await client.query({ name: "settle", text: settle, values: [settled] })
        done += rows.length
      }
    }
  }
}

const bullMq = async (): Promise<Queue> => {
  const { Queue, Worker } = imported("bullmq")
  const { hostname: host, port } = new URL(redisUrl)
  const connection = { host, port: Number(port), maxRetriesPerRequest: null }
  const queue = new Queue("nothing", { connection })
  await queue.obliterate({ force: true })
  let done = 0
  const options = { connection, concurrency: 64, removeOnComplete: { count: 0 } }
  const worker = new Worker("nothing", async () => {}, options)
  worker.on("completed", () => {
    done++
  })
  await worker.pause()
  return {
    add: async (count) => {
      for (let from = 0; from < count; from += portion) {
        const size = Math.min(portion, count - from)
        await queue.addBulk(Array.from({ length: size }, (_, n) => ({ name: "nothing", data: { n } })))
      }
    },
    workOff: async (count) => {
      done = 0
      worker.resume()
      while (done < count) await sleep(5)
      await worker.pause()
    }
  }
}

const peers = { "graphile-worker": graphile, "pg-boss": pgBoss, bullmq: bullMq, "by hand": byHand }
const queue = await peers[peer]()

answerOrders<JobsOrder>(async ({ jobs }): Promise<WorkedOff> => {
  await queue.add(jobs)
  const [cpu, before, start] = [process.cpuUsage(), serverCpu(), performance.now()]
  await queue.workOff(jobs)
  const elapsedMs = performance.now() - start
  const { system, user } = process.cpuUsage(cpu)
  const after = serverCpu()
  return {
    ...rateOf(jobs, elapsedMs, user + system),
    server: before === null || after === null ? null : (after - before) / jobs
  }
})
