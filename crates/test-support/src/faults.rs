//! What does not fit in a document, by a JSON schema (draft 2020-12).
//!
//! Only the keywords that schemas of ours have are known; any other one ends the test, so that nothing is passed over. A library for all
//! of them, with its dependencies, took a tenth of the time in which tests are built.

use serde_json::{Map, Value};

/// The one pattern that names of members may have here.
const NUMBER: &str = r"^\d+$";

/// Faults of a document, each with its place in it.
///
/// # Panics
/// If the schema is none, or has a keyword that is not known.
pub fn faults(schema: &Value, document: &Value) -> Vec<String> {
    let mut check = Check {
        root: schema,
        faults: Vec::new(),
    };
    check.value(schema, document, "");
    check.faults
}

struct Check<'s> {
    /// Where `$ref` looks.
    root: &'s Value,
    faults: Vec<String>,
}

impl<'s> Check<'s> {
    fn value(&mut self, schema: &'s Value, value: &Value, at: &str) {
        let rules = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return self.fault(at, "nothing may be here"),
            Value::Object(rules) => rules,
            _ => panic!("no schema: {schema}"),
        };
        for (keyword, rule) in rules {
            let keyword = keyword.as_str();
            match keyword {
                "$schema" | "$defs" | "title" | "description" | "default" | "format" => (),
                "$ref" => self.value(self.target(rule), value, at),
                "anyOf" => self.fitting(rule, value, at, |fitting| fitting > 0),
                "oneOf" => self.fitting(rule, value, at, |fitting| fitting == 1),
                "type" => self.must(is_of(rule, value), at, keyword, rule),
                "const" => self.must(rule == value, at, keyword, rule),
                "minimum" => self.must(compared(rule, value, f64::ge), at, keyword, rule),
                "maximum" => self.must(compared(rule, value, f64::le), at, keyword, rule),
                "minItems" | "maxItems" | "prefixItems" | "items" => {
                    if let Value::Array(items) = value {
                        self.items((keyword, rule), rules, items, at);
                    }
                }
                "required" | "properties" | "patternProperties" | "additionalProperties" => {
                    if let Value::Object(members) = value {
                        self.members((keyword, rule), rules, members, at);
                    }
                }
                _ => panic!("the keyword {keyword} is not known here"),
            }
        }
    }

    fn fault(&mut self, at: &str, what: &str) {
        self.faults.push(format!("{at}: {what}"));
    }

    fn must(&mut self, fits: bool, at: &str, keyword: &str, rule: &Value) {
        if !fits {
            self.fault(at, &format!("{keyword} {rule}"));
        }
    }

    fn target(&self, rule: &Value) -> &'s Value {
        let name = text(rule).strip_prefix("#/$defs/");
        let target = name.and_then(|name| self.root["$defs"].get(name));
        target.unwrap_or_else(|| panic!("no definition {rule}"))
    }

    /// Whether as many of these schemas fit as should.
    fn fitting(&mut self, rule: &'s Value, value: &Value, at: &str, enough: fn(usize) -> bool) {
        let mut missed = Vec::new();
        let mut fitting = 0;
        for schema in list(rule) {
            let mut one = Check {
                root: self.root,
                faults: Vec::new(),
            };
            one.value(schema, value, at);
            fitting += usize::from(one.faults.is_empty());
            missed.extend(one.faults);
        }
        if !enough(fitting) {
            self.fault(at, &format!("{fitting} of several fit: {missed:?}"));
        }
    }

    fn items(
        &mut self,
        (keyword, rule): (&str, &'s Value),
        rules: &Map<String, Value>,
        items: &[Value],
        at: &str,
    ) {
        match keyword {
            "minItems" => self.must(items.len() >= number(rule), at, keyword, rule),
            "maxItems" => self.must(items.len() <= number(rule), at, keyword, rule),
            "prefixItems" => {
                for (index, (schema, item)) in list(rule).iter().zip(items).enumerate() {
                    self.value(schema, item, &format!("{at}/{index}"));
                }
            }
            _ => {
                let first = rules
                    .get("prefixItems")
                    .map_or(0, |first| list(first).len());
                for (index, item) in items.iter().enumerate().skip(first) {
                    self.value(rule, item, &format!("{at}/{index}"));
                }
            }
        }
    }

    fn members(
        &mut self,
        (keyword, rule): (&str, &'s Value),
        rules: &Map<String, Value>,
        members: &Map<String, Value>,
        at: &str,
    ) {
        if keyword == "required" {
            let missing = list(rule).iter().map(text);
            for name in missing.filter(|name| !members.contains_key(*name)) {
                self.fault(at, &format!("no {name}"));
            }
            return;
        }
        for (name, member) in members {
            let schema = match keyword {
                "properties" => rule.get(name),
                "patternProperties" => by_pattern(rule, name),
                _ => Some(rule).filter(|_| {
                    let of = |keyword: &str| rules.get(keyword);
                    let named = of("properties").and_then(|all| all.get(name));
                    let matched = of("patternProperties").and_then(|all| by_pattern(all, name));
                    named.or(matched).is_none()
                }),
            };
            if let Some(schema) = schema {
                self.value(schema, member, &format!("{at}/{name}"));
            }
        }
    }
}

/// The schema of members whose name matches.
fn by_pattern<'s>(rule: &'s Value, name: &str) -> Option<&'s Value> {
    let patterns = rule.as_object().expect("patterns");
    let known = patterns.keys().all(|pattern| pattern == NUMBER);
    assert!(known, "a pattern that is not known here: {rule}");
    let matches = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    patterns.get(NUMBER).filter(|_| matches)
}

/// Whether a value is of a type, or of one of several.
fn is_of(rule: &Value, value: &Value) -> bool {
    if let Value::Array(types) = rule {
        return types.iter().any(|one| is_of(one, value));
    }
    match text(rule) {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("the type {other} is not known here"),
    }
}

/// Whether the value is no number, or one that compares so with the rule's.
fn compared(rule: &Value, value: &Value, compares: fn(&f64, &f64) -> bool) -> bool {
    let limit = rule.as_f64().expect("a number");
    value
        .as_f64()
        .is_none_or(|number| compares(&number, &limit))
}

fn number(rule: &Value) -> usize {
    let number = rule
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    number.expect("a number of items")
}

fn list(rule: &Value) -> &[Value] {
    rule.as_array().expect("a list")
}

fn text(rule: &Value) -> &str {
    rule.as_str().expect("a text")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A schema, documents that fit it, and documents that do not.
    fn decides(schema: &Value, fit: &[Value], faulty: &[Value]) {
        for document in fit {
            let found = faults(schema, document);
            assert!(found.is_empty(), "{schema} {document}: {found:?}");
        }
        for document in faulty {
            assert!(!faults(schema, document).is_empty(), "{schema} {document}");
        }
    }

    #[test]
    fn values_have_their_type_and_size() {
        let of = |name: &str| json!({"type": name, "format": "any", "description": "none"});
        let values = [
            ("null", json!(null)),
            ("boolean", json!(true)),
            ("string", json!("text")),
            ("array", json!([1])),
            ("object", json!({"a": 1})),
            ("number", json!(1.5)),
        ];
        for (name, _) in &values {
            for (other, value) in &values {
                assert_eq!(faults(&of(name), value).is_empty(), name == other, "{name}");
            }
        }
        decides(
            &of("integer"),
            &[json!(-3), json!(2.0)],
            &[json!(2.5), json!("2")],
        );
        let either = json!({"type": ["string", "null"]});
        decides(&either, &[json!(null), json!("")], &[json!(0)]);
        let small = json!({"minimum": 0, "maximum": 65535});
        let large = json!(65536);
        decides(
            &small,
            &[json!(0), json!(65535), json!("no number")],
            &[json!(-1), large],
        );
        decides(&json!({"const": "wall"}), &[json!("wall")], &[json!("cpu")]);
    }

    #[test]
    fn items_are_as_many_and_each_fits() {
        let pair = json!({
            "prefixItems": [{"type": "string"}, {"type": "number"}], "minItems": 2, "maxItems": 2,
        });
        let faulty = [
            json!(["a"]),
            json!(["a", 1, 2]),
            json!([1, 1]),
            json!(["a", "b"]),
        ];
        decides(&pair, &[json!(["a", 1]), json!("no list")], &faulty);
        let numbers = json!({"items": {"type": "number"}});
        decides(&numbers, &[json!([]), json!([1, 2])], &[json!([1, "b"])]);
        let first = json!({"prefixItems": [{"type": "string"}], "items": {"type": "number"}});
        decides(&first, &[json!(["a", 1, 2])], &[json!(["a", 1, "b"])]);
    }

    #[test]
    fn members_are_there_and_no_others() {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "string"}},
            "patternProperties": {NUMBER: {"type": "boolean"}},
            "additionalProperties": false,
            "required": ["a"],
        });
        let fit = [json!({"a": 1}), json!({"a": 1, "b": "x", "17": true})];
        let missing = json!({"b": "x"});
        let other = json!({"a": 1, "c": 1});
        let wrong = json!({"a": 1, "b": 2});
        decides(
            &schema,
            &fit,
            &[missing, other, wrong, json!({"a": 1, "17": 1})],
        );
        let map = json!({"additionalProperties": {"type": "number"}});
        decides(&map, &[json!({}), json!({"x": 1})], &[json!({"x": "y"})]);
    }

    #[test]
    fn definitions_are_looked_up_and_choices_made() {
        let schema = json!({
            "anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}],
            "$defs": {"Size": {"type": "integer", "minimum": 1}},
        });
        decides(&schema, &[json!(null), json!(4)], &[json!(0), json!("4")]);
        let one = json!({"oneOf": [{"type": "number"}, {"type": "integer"}, {"const": "a"}]});
        decides(&one, &[json!(1.5), json!("a")], &[json!(1), json!("b")]);
    }

    #[test]
    fn a_fault_has_its_place() {
        let schema = json!({"properties": {"a": {"items": {"type": "string"}}}});
        let found = faults(&schema, &json!({"a": ["x", 1]}));
        assert_eq!(found, [r#"/a/1: type "string""#]);
    }

    #[test]
    #[should_panic(expected = "the keyword uniqueItems is not known here")]
    fn a_keyword_that_is_not_known_ends_the_test() {
        faults(&json!({"uniqueItems": true}), &json!([]));
    }
}
