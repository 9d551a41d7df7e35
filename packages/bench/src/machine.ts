import { cpus, totalmem } from "node:os"

/** The machine of the measurement, one fact per line. */
export const machine = (postgresVersion: string): ReadonlyArray<string> => {
  const processors = cpus()
  return [
    `Processor: ${processors[0]?.model ?? "unknown"}, ${processors.length} cores`,
    `Memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.versions.node}, Postgres ${postgresVersion}, on the same machine`,
    `Date: ${new Date().toISOString().slice(0, 10)}`
  ]
}
