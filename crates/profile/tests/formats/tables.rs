//! Exported tables of licensed tools.

use super::*;

#[test]
fn tables_of_commercial_profilers() {
    let yourkit = read("constructed/yourkit-method-list.csv", Format::Table);
    assert_eq!(
        (
            yourkit.tool.as_str(),
            yourkit.unit,
            yourkit.overloads_merged
        ),
        ("YourKit", Unit::Nanoseconds, false)
    );
    let shares = all(&yourkit);
    assert_eq!(
        shares.methods[&method("Queens.placeQueen(int)")].self_weight,
        312e6
    );
    assert_eq!(
        shares.not_java.values().sum::<f64>(),
        20e6,
        "arraycopy is native"
    );
    let jprofiler = read("constructed/jprofiler-hotspots.csv", Format::Table);
    assert_eq!(
        (jprofiler.tool.as_str(), jprofiler.overloads_merged),
        ("JProfiler", true)
    );
    assert_eq!(
        all(&jprofiler).methods[&method("Queens.queens")].self_weight,
        211e6
    );
    let vtune = read("constructed/vtune-hotspots.tsv", Format::Table);
    assert_eq!(
        (vtune.tool.as_str(), all(&vtune).not_java["Interpreter"]),
        ("VTune", 20e6)
    );
    let place = method("Queens.placeQueen(int)");
    assert!((all(&vtune).self_share(&place) - 0.312 / 1.517).abs() < 1e-9);
    let commas = read("constructed/vtune-hotspots.csv", Format::Table);
    assert_eq!(
        (commas.tool.as_str(), commas.overloads_merged),
        ("VTune", false)
    );
    assert_eq!(
        all(&commas).methods,
        all(&vtune).methods,
        "whatever separates the columns"
    );
    let xml = read("constructed/jprofiler-hotspots.xml", Format::JProfiler);
    assert_eq!(
        all(&xml).methods[&method("som.Vector.<init>(I)V")].self_weight,
        24e6
    );
    assert_eq!(all(&xml).java_weight(), 800e6);
}

#[test]
fn yourkit_as_xml_is_the_same_as_its_table() {
    let xml = read("constructed/yourkit-method-list.xml", Format::YourKit);
    assert_eq!(
        (xml.tool.as_str(), xml.overloads_merged),
        ("YourKit", false)
    );
    let table = read("constructed/yourkit-method-list.csv", Format::Table);
    let own = |profile: &Profile| by_name(&all(profile));
    assert_eq!(own(&xml), own(&table));
    let queens = method("Queens.placeQueen(int)");
    assert_eq!(all(&xml).methods[&queens].total_weight, 2070e6);
}
