// Renders a Helm chart as `helm template` does, with the template engine, the functions and the YAML parser that Helm consists of:
// text/template, Sprig and sigs.k8s.io/yaml.
//
//	render-chart <folder of the chart> < values.json
//
// Prints {"templates/deployment.yaml": [<object>, …], …}. Values of standard input override those of the chart, key by key.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

var separator = regexp.MustCompile(`(?m)^---\s*$`)

func main() {
	rendered, err := render(os.Args[1], os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(rendered); err != nil {
		panic(err)
	}
}

func render(folder string, overrides io.Reader) (map[string][]object, error) {
	var chart, values, given object
	if err := readYaml(filepath.Join(folder, "Chart.yaml"), &chart); err != nil {
		return nil, err
	}
	if err := readYaml(filepath.Join(folder, "values.yaml"), &values); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(overrides)
	if err != nil {
		return nil, err
	}
	// JSON is YAML.
	if err := yaml.UnmarshalStrict(text, &given); err != nil {
		return nil, err
	}
	override(values, given)
	templates, err := parse(folder)
	if err != nil {
		return nil, err
	}
	context := object{
		"Values":  values,
		"Chart":   asHelm(chart),
		"Release": object{"Name": "example", "Namespace": "slots", "Service": "Helm", "IsInstall": true},
	}
	rendered := map[string][]object{}
	for _, each := range templates.Templates() {
		if !strings.HasSuffix(each.Name(), ".yaml") && !strings.HasSuffix(each.Name(), ".txt") {
			continue
		}
		var text bytes.Buffer
		if err := each.Execute(&text, context); err != nil {
			return nil, err
		}
		if strings.HasSuffix(each.Name(), ".txt") {
			continue
		}
		if rendered[each.Name()], err = objectsOf(text.String()); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", each.Name(), err, text.String())
		}
	}
	return rendered, nil
}

func parse(folder string) (*template.Template, error) {
	templates := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := templates.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	templates.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if _, err := templates.New("templates/" + filepath.Base(file)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	return templates, nil
}

// objectsOf parses strictly: a repeated key is an error.
func objectsOf(text string) ([]object, error) {
	objects := []object{}
	for _, part := range separator.Split(strings.ReplaceAll(text, "<no value>", ""), -1) {
		var parsed object
		if err := yaml.UnmarshalStrict([]byte(part), &parsed); err != nil {
			return nil, err
		}
		if len(parsed) > 0 {
			objects = append(objects, parsed)
		}
	}
	return objects, nil
}

func override(values, given object) {
	for key, value := range given {
		inner, isObject := value.(object)
		known, wasObject := values[key].(object)
		if isObject && wasObject {
			override(known, inner)
		} else {
			values[key] = value
		}
	}
}

// asHelm capitalizes the keys: templates name the version of a chart .Chart.Version.
func asHelm(chart object) object {
	named := object{}
	for key, value := range chart {
		named[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return named
}

func readYaml(path string, into *object) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return yaml.UnmarshalStrict(text, into)
}
