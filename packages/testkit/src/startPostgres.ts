import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** A Postgres server for tests. */
export interface PostgresServer {
  readonly url: string
  /** Restarts the server on the same port: `immediate` simulates a crash, `fast` an operator's restart. */
  readonly restart: (mode: "immediate" | "fast") => Promise<void>
  /** Ends the server as a crash does, for good. */
  readonly kill: () => Promise<void>
  /**
   * Restarts the server, and starts a streaming replica of it. Returns the URL of the replica. `synchronous`: commits
   * wait until the replica has them (default: they do not).
   */
  readonly replicate: (options?: { readonly synchronous?: boolean }) => Promise<string>
  /** Ends the server as a crash does, and promotes its replica in its place. Returns the URL of the new server. */
  readonly promote: () => Promise<string>
  /** Stops the server and its replica. */
  readonly stop: () => Promise<void>
}

/** Starts Postgres in a child process, which ends with this process, also after a crash. */
export const startPostgres = async (options: { readonly fsync?: boolean } = {}): Promise<PostgresServer> => {
  const file = fileURLToPath(new URL("./postgresServer.mjs", import.meta.url))
  const server = fork(file, options.fsync ? ["--fsync"] : [], { execArgv: [] })
  const answer = async () => {
    const [message] = (await Promise.race([once(server, "message"), once(server, "exit")])) as [unknown]
    if (typeof message !== "object" || message === null || "error" in message) {
      throw new Error(`The test Postgres did not start: ${JSON.stringify(message)}`)
    }
    return message as { readonly url: string }
  }
  const { url } = await answer()
  return {
    url,
    restart: async (mode) => {
      server.send({ restart: mode })
      await answer()
    },
    kill: async () => {
      server.send({ action: "kill" })
      await answer()
    },
    replicate: async ({ synchronous = false } = {}) => {
      server.send({ action: "replicate", synchronous })
      return (await answer()).url
    },
    promote: async () => {
      server.send({ action: "promote" })
      return (await answer()).url
    },
    stop: async () => {
      const exit = once(server, "exit")
      server.disconnect()
      await exit
    }
  }
}
