import { writeFileSync } from "node:fs"
import { widgetFile, widgetModule } from "./widget.js"

writeFileSync(new URL(`../../../${widgetFile}`, import.meta.url), await widgetModule())
