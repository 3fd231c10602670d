// Sdks writes the Python and Go SDKs of a package from its schema, each into a folder of its own, with the generators that
// `pulumi package gen-sdk` calls in a language host.
//
//	sdks <schema.json> <folder>
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The schema refers to no other package.
type noOthers struct{ schema.ReferenceLoader }

func main() {
	from, to := os.Args[1], os.Args[2]
	var spec schema.PackageSpec
	text, err := os.ReadFile(from)
	check(err)
	check(json.Unmarshal(text, &spec))
	bound, problems, err := schema.BindSpec(spec, noOthers{}, schema.ValidationOptions{})
	check(err)
	if problems.HasErrors() {
		log.Fatal(problems)
	}
	generators := map[string]func() (map[string][]byte, error){
		"python": func() (map[string][]byte, error) { return python.GeneratePackage("pulumi", bound, nil, nil) },
		"go":     func() (map[string][]byte, error) { return golang.GeneratePackage("pulumi", bound, nil) },
	}
	for language, generate := range generators {
		files, err := generate()
		check(err)
		if language == "python" {
			// The generator names this file in pyproject.toml, but writes it only into the package.
			files["README.md"] = files["pulumi_observability/README.md"]
		}
		for name, text := range files {
			path := filepath.Join(to, language, name)
			check(os.MkdirAll(filepath.Dir(path), 0o755))
			check(os.WriteFile(path, text, 0o644))
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
