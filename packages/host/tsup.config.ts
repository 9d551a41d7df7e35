import { library } from "../../.ci/library.js"

export default { ...library, entry: ["src/index.ts", "src/layers/index.ts"] }
