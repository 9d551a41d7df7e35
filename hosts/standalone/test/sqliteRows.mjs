// A thread for `rowsOf.ts`: what a statement on an SQLite file answers.
import { parentPort, workerData } from "node:worker_threads"
import Sqlite from "better-sqlite3"

const file = new Sqlite(workerData.file)
try {
  const prepared = file.prepare(workerData.statement)
  if (!prepared.reader) prepared.run()
  parentPort.postMessage(prepared.reader ? prepared.all() : [])
} finally {
  file.close()
}
