import { readFileSync } from "node:fs"
import { exitCodes } from "./commands/exitCodes.js"
import { notWritten } from "./commands/notWritten.js"
import { pagesOfJson, requestedPage } from "./commands/requestedPage.js"

/** Prints the page that these words ask for, and returns whether they ask for one. */
export const printPage = (message: ReadonlyArray<string>): boolean => {
  const page = requestedPage(pagesOfJson(readFileSync(new URL("./pages.json", import.meta.url), "utf8")), message)
  if (page === null) return false
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as `head` does.
    if (error.code === "EPIPE") process.exit(exitCodes.done)
    console.error(notWritten(error))
    process.exit(exitCodes.failed)
  })
  console.log(page)
  return true
}
