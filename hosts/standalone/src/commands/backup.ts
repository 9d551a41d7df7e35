import { Args, Command } from "@effect/cli"
import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { described } from "./described.js"
import { exitCodes } from "./exitCodes.js"
import { loadHosts } from "./hostCommand.js"
import { resolvePath } from "./resolvePath.js"

export const backup = Command.make(
  "backup",
  { file: Args.text({ name: "file" }).pipe(Args.withDescription("The copy; the file must not exist")) },
  ({ file }) =>
    Effect.gen(function* () {
      if (file === "") {
        return yield* new CommandFailed({
          message: "<file> is empty: give the path of the copy",
          code: exitCodes.misused
        })
      }
      const programs = yield* loadHosts
      yield* programs.backup(resolvePath(file))
    })
).pipe(
  described(
    "Copy the SQLite database to a file, while the host runs. It uses PARLEY_DATABASE_URL and PARLEY_DATA_DIR directly. Back up the secret key and the files of customers separately; for Postgres, use pg_dump. Example: parley backup /backup/parley.db"
  )
)
