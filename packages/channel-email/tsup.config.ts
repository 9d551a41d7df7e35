import { library } from "../../.ci/library.js"

/** With the program of the threads that parse mails, beside the file that starts them. */
export default { ...library, entry: ["src/index.ts", "src/mailThread.ts"] }
